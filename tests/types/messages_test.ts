import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { formats } from "../../platforms/mod.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A new format does not change the file of messages. */
const FORMATS = formats()
  .map(({ name }) => name)
  .join(", ");
const MARK = "// @ts-expect-error ";

test("the compiler reports each mistake of flow_errors.ts as in messages.txt", { timeout: 300_000 }, async () => {
  const source = await readFile(new URL("flow_errors.ts", import.meta.url), "utf8");
  const printed = await compile(source.replaceAll(MARK, "// expected: ").replaceAll("../../", root));
  const lines = source.split("\n").map((line) => line.trimStart());

  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(MARK)) continue;
    const said = printed.find((message) => message.startsWith(`${index + 2}: `)) ?? "nothing";
    assert.ok(
      said.includes(line.slice(MARK.length)),
      `line ${index + 2}: expected ${line.slice(MARK.length)}, got ${said}`,
    );
  }
  const unexpected = printed.filter((message) => !lines[Number.parseInt(message, 10) - 2]?.startsWith(MARK));
  assert.deepEqual(unexpected, []);
  const messages = `${printed.map(withoutLine).join("\n\n").replaceAll(FORMATS, "<formats>")}\n`;
  const file = new URL("messages.txt", import.meta.url);
  if (process.env.UPDATE_MESSAGES) await writeFile(file, messages); // after an intended change
  assert.equal(messages, await readFile(file, "utf8"));
});

/** Every error of a module, with the number of its line in front. */
async function compile(source: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-messages-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(folder, "flow_errors.ts"), source);
    const config = { extends: join(root, "tsconfig.json"), include: ["flow_errors.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const output = await promisify(execFile)(
      "node",
      [compiler, "--project", folder, "--pretty", "false", "--checkers", "1"],
      {
        maxBuffer: 1e8,
      },
    )
      .then(({ stdout }) => stdout)
      .catch((error: { readonly stdout?: string }) => error.stdout ?? ""); // errors are expected
    const errors = output.split(/^\S*flow_errors\.ts\((?=\d+,\d+\))/m).slice(1);
    return errors.map((error) => error.trimEnd().replace(/^(\d+),\d+\): /, "$1: "));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withoutLine(message: string): string {
  return message.replace(/^\d+: /, "");
}
