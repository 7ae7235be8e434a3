import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { editGraph } from "../../../../api/analysis.ts";
import { patchModule } from "../../../../src/surface/cli/diagnose/save.ts";
import { loadSource } from "../../../../src/surface/project/mod.ts";
import { folder } from "../_terminal.ts";

const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../../../mod.ts")).href;
const terminal = {
  out: () => {},
  err: () => {},
  warn: () => {},
  input: async () => "",
  env: {},
  stdout: {},
  stderr: {},
  signal: new AbortController().signal,
  flush: async () => {},
};

/** A module with two nodes, with these expressions as prompts. */
const moduleOf = (greet: string, bye: string, head = "") => `import { flow } from ${JSON.stringify(MOD)};
${head}
export const desk = flow("desk")
  .conversation("greet", { prompt: ${greet}, next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: ${bye} })
  .compile();
`;

/** The patch of a module with another prompt of the first node. */
async function patched(files: Readonly<Record<string, string>>, text = "Greet warmly.", name = "flow.ts") {
  const path = folder(files);
  const file = join(path, name);
  const { graph } = await loadSource(file, terminal);
  const patch = () => patchModule(file, graph, editGraph(graph).setPrompt("greet", text).graph, terminal);
  return { path, patch };
}

test("patchModule() changes the one literal that gives the repaired agent, also where others are equal", async () => {
  const source = moduleOf('"Greet."', "'Greet.'");
  const { path, patch } = await patched({ "flow.ts": source });
  const { patch: diff, folder: at } = await patch();
  assert.match(diff, /^--- a\/flow\.ts\n\+\+\+ b\/flow\.ts\n/);
  writeFileSync(join(path, "fix.patch"), diff);
  execFileSync("git", ["apply", join(path, "fix.patch")], { cwd: at });
  assert.equal(readFileSync(join(path, "flow.ts"), "utf8"), source.replace('"Greet."', '"Greet warmly."'));
  assert.deepEqual(readdirSync(path).sort(), ["fix.patch", "flow.ts"]);
});

test("patchModule() refuses a text that several nodes share, and says where it stands", async () => {
  const { path, patch } = await patched({ "flow.ts": moduleOf("TEXT", "TEXT", 'const TEXT = "Greet.";') });
  await assert.rejects(patch(), (error: Error & { code?: string }) => {
    assert.equal(error.code, "ambiguous-literal");
    assert.match(error.message, /flow\.ts:2:14, and changing it alone does not give the repaired agent: .*"bye"/);
    return true;
  });
  assert.deepEqual(readdirSync(path), ["flow.ts"]);
});

test("patchModule() tries no text that stands in more than eight places", async () => {
  const refusal = async (count: number) => {
    const texts = `export const TEXTS = [${Array.from({ length: count }, () => '"Greet."').join(", ")}];`;
    const { patch } = await patched({ "flow.ts": moduleOf('"Greet."', '"Bye."', texts) });
    return await patch().then(
      () => undefined,
      (error: Error) => error.message,
    );
  };
  assert.equal(await refusal(7), undefined);
  assert.match((await refusal(8)) ?? "", /any of them could be meant$/);
});

test("patchModule() refuses texts that are put together, and changes that are not of texts", async () => {
  const joined = await patched({ "flow.ts": moduleOf('"Gre" + "et."', '"Bye."') });
  await assert.rejects(joined.patch(), { code: "no-literal" });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code of a module
  const filled = await patched({ "flow.ts": moduleOf("`${NAME}.`", '"Bye."', 'const NAME = "Greet";') });
  await assert.rejects(filled.patch(), { code: "no-literal" });
  const path = folder({ "flow.ts": moduleOf('"Greet."', '"Bye."') });
  const { graph } = await loadSource(join(path, "flow.ts"), terminal);
  const { graph: changed } = editGraph(graph).removeTransition("greet", 0);
  await assert.rejects(patchModule(join(path, "flow.ts"), graph, changed, terminal), { code: "no-literal" });
});

test("patchModule() patches a module that is imported from another folder, beside a file that it reads", async () => {
  const path = folder();
  for (const name of ["agents", "texts"]) mkdirSync(join(path, name));
  const head = 'import { GREET, BYE } from "../texts/prompts.js";';
  writeFileSync(join(path, "agents/flow.ts"), moduleOf("GREET", "BYE", head));
  writeFileSync(join(path, "texts/bye.txt"), "Bye.");
  const prompts = `import { readFileSync } from "node:fs";
export const GREET = \`Greet.\`;
export const BYE = readFileSync(new URL("./bye.txt", import.meta.url), "utf8");
`;
  writeFileSync(join(path, "texts/prompts.js"), prompts);
  const file = join(path, "agents/flow.ts");
  const { graph } = await loadSource(file, terminal);
  const { patch, files } = await patchModule(file, graph, editGraph(graph).setPrompt("greet", "Hi.").graph, terminal);
  assert.match(patch, /-export const GREET = `Greet\.`;\n\+export const GREET = `Hi\.`;/);
  assert.equal(files.length, 1);
  assert.match(files[0] ?? "", /texts\/prompts\.js$/);
  assert.deepEqual(readdirSync(path).sort(), ["agents", "texts"]);
});

test("patchModule() keeps the line breaks of Windows, and a name with spaces applies", async () => {
  const source = moduleOf("`Greet.\r\n  Ask.`", '"Bye."').replaceAll(/\r?\n/g, "\r\n");
  const { path, patch } = await patched({ "my flow.ts": source }, "Greet.\n  Ask.\n  Wait.", "my flow.ts");
  const { patch: diff, folder: at } = await patch();
  writeFileSync(join(path, "fix.patch"), diff);
  execFileSync("git", ["apply", join(path, "fix.patch")], { cwd: at });
  assert.equal(readFileSync(join(path, "my flow.ts"), "utf8"), source.replace("  Ask.`", "  Ask.\r\n  Wait.`"));
});
