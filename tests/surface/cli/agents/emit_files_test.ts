import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FolderOutput, RECORD, writeEmitted } from "../../../../src/surface/cli/agents/emit_files.ts";
import { folder } from "../_terminal.ts";

const output = (out: string, over: Partial<FolderOutput> = {}): FolderOutput => ({
  out,
  fileName: "flow.yaml",
  text: "initial_node: a\n",
  files: [
    { path: "handlers.py", text: "A = 1\n" },
    { path: "tools/orders.py", text: "B = 1\n" },
  ],
  source: join(out, "flow.ts"),
  isModule: true,
  overwrite: false,
  ...over,
});

const textOf = (...path: readonly string[]) => readFileSync(join(...path), "utf8");
const code = (expected: string) => (error: unknown) => Object(error).code === expected;

test("emit --out writes a document and its files into a new folder, and again when nothing was edited", async () => {
  const out = join(folder(), "agent");
  const written = await writeEmitted(output(out));
  assert.deepEqual(written, [join(out, "flow.yaml"), join(out, "handlers.py"), join(out, "tools/orders.py")]);
  assert.equal(textOf(out, "tools/orders.py"), "B = 1\n");
  // git may have changed the line ends
  writeFileSync(join(out, "handlers.py"), "A = 1\r\n");
  await writeEmitted(output(out, { files: [{ path: "handlers.py", text: "A = 2\n" }] }));
  assert.equal(textOf(out, "handlers.py"), "A = 2\n");
});

test("emit --out keeps a file that was edited, and then writes nothing", async () => {
  const out = join(folder(), "agent");
  await writeEmitted(output(out));
  writeFileSync(join(out, "handlers.py"), "A = 'mine'\n");
  const next = { text: "initial_node: b\n", files: [{ path: "handlers.py", text: "A = 2\n" }] };
  await assert.rejects(writeEmitted(output(out, next)), code("edited-file"));
  assert.equal(textOf(out, "handlers.py"), "A = 'mine'\n");
  assert.equal(textOf(out, "flow.yaml"), "initial_node: a\n");
  await writeEmitted(output(out, { ...next, overwrite: true }));
  assert.equal(textOf(out, "handlers.py"), "A = 2\n");
  assert.equal(textOf(out, "flow.yaml"), "initial_node: b\n");
});

test("emit --out keeps a file that a person wrote, unless it has the same text already", async () => {
  const out = folder({ "handlers.py": "def mine(): ...\n" });
  await assert.rejects(writeEmitted(output(out)), code("edited-file"));
  assert.equal(existsSync(join(out, "flow.yaml")), false);
  writeFileSync(join(out, "handlers.py"), "A = 1\n");
  await writeEmitted(output(out));
  assert.equal(existsSync(join(out, "flow.yaml")), true);
});

test("emit --out may write the document that the agent was read from, by any path to it", async () => {
  const out = folder({ "flow.yaml": "initial_node: old\n" });
  await writeEmitted(output(out, { source: join(out, ".", "flow.yaml"), isModule: false }));
  assert.equal(textOf(out, "flow.yaml"), "initial_node: a\n");
});

test("emit --out never writes over the module of the flow", async () => {
  const out = folder({ "agent.ts": "export default 1;\n" });
  const files = [{ path: "agent.ts", text: "written" }];
  const given = output(out, { files, source: join(out, "agent.ts"), overwrite: true });
  await assert.rejects(writeEmitted(given), code("usage"));
  assert.equal(textOf(out, "agent.ts"), "export default 1;\n");
});

test("emit --out takes the name of the document's file; the other files go beside it", async () => {
  const out = folder();
  await writeEmitted(output(join(out, "clinic.yml")));
  assert.equal(textOf(out, "clinic.yml"), "initial_node: a\n");
  assert.equal(textOf(out, "handlers.py"), "A = 1\n");
  assert.equal(existsSync(join(out, "flow.yaml")), false);
});

test("emit --out refuses paths that leave the folder or name its record, and a damaged record", async () => {
  const out = folder();
  for (const path of ["../x.py", "/etc/x.py", "a/../../x.py", "a\\..\\x.py", "C:x.py", "", "a//b.py", RECORD])
    await assert.rejects(writeEmitted(output(out, { files: [{ path, text: "" }] })), code("unwritable-file"), path);
  assert.equal(existsSync(join(out, "flow.yaml")), false);
  writeFileSync(join(out, RECORD), "{");
  await assert.rejects(writeEmitted(output(out)), code("invalid-json"));
});
