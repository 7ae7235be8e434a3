import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { graphJsonSchema } from "../../src/graph/mod.ts";
import { type Ended, isInstalled, ROOT, RUNTIMES, runProgram } from "../cli/_process.ts";
import { createProject, createWorkbench, installPackage, npm, type Workbench } from "./_install.ts";

const FLOW = `import { flow } from "callweave";

export const graph = flow("small", { prompt: "You answer the phone." })
  .conversation("ask", { prompt: "Ask for the name.", next: ({ to }) => [to("bye", "Caller gives their name")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`;
const PROGRAM = `import { emit, openStore, run, scenario } from "callweave";
import { graph } from "./flow.ts";

const store = await openStore("results.db");
const report = await run(graph, [scenario("says a name", graph).says("I am Anna Fischer.").visits("bye")], { store });
const stored = await store.listRuns();
await store.close();
const formats = Object.fromEntries(
  ["retell", "vapi-squad", "mermaid"].map((format) => [format, emit(graph, format).config]),
);
const [result] = report.results;
console.log(JSON.stringify({ counts: report.counts, said: result?.transcript.map(({ content }) => content), formats, stored: stored.length > 0 }));
`;

const SCENARIOS = `import { runAsProgram, scenario } from "callweave";
import { graph } from "./flow.ts";

export const scenarios = [scenario("says a name", graph).says("I am Anna Fischer.").visits("bye")];
await runAsProgram(import.meta, graph, scenarios);
`;

let bench: Workbench;
/** Projects in which the package was installed with Node 20 and with Node 22. */
let on20 = "";
let folder = "";
let printed: readonly string[] = [];

async function succeed(command: string, args: readonly string[], cwd = folder): Promise<Ended> {
  const ended = await runProgram(command, args, { cwd });
  assert.equal(ended.code, 0, `${command} ${args.join(" ")}: ${ended.err}${ended.out}`);
  return ended;
}

before(async () => {
  bench = await createWorkbench();
  on20 = createProject(join(bench.folder, "on-20"));
  folder = createProject(join(bench.folder, "on-22"));
  for (const project of [on20, folder]) {
    writeFileSync(join(project, "flow.ts"), FLOW);
    writeFileSync(join(project, "program.ts"), PROGRAM);
    writeFileSync(join(project, "scenarios.ts"), SCENARIOS);
  }
  // the second one writes a lock file only: what npm chooses and warns of is the same
  const on24 = createProject(join(bench.folder, "on-24"));
  printed = [
    await installPackage(bench, "20", on20),
    await installPackage(bench, "22", folder, "typescript@5.9.3"),
    await installPackage(bench, "24", on24, "--package-lock-only"),
  ];
});

after(() => rmSync(bench.folder, { recursive: true, force: true }));

test("installing the package prints no warning of engines or deprecation on Node 20, 22 and 24", async () => {
  for (const output of printed) assert.doesNotMatch(output, /EBADENGINE|deprecated|ERESOLVE/);
  const versionIn = (project: string): string =>
    JSON.parse(readFileSync(join(project, "node_modules", "ai", "package.json"), "utf8")).version;
  assert.match(versionIn(on20), /^6\./);
  assert.match(versionIn(folder), /^7\./);
});

test("installing a clone's own packages prints no warning of engines or deprecation on Node 20, 22 and 24", async () => {
  const clone = createProject(join(bench.folder, "clone"));
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(ROOT, file), join(clone, file));
  for (const node of Object.values(bench.nodes)) {
    assert.doesNotMatch(await npm(node, ["ci", "--dry-run"], clone), /EBADENGINE|deprecated|ERESOLVE/);
  }
});

test("a TypeScript flow is checked, emitted and run on Node 20 with nothing but the package", async () => {
  const program = join("node_modules", "callweave", "dist", "src", "cli", "main.js");
  const start = (...args: readonly string[]) => succeed(bench.nodes["20"], [program, ...args], on20);
  assert.match((await start("check", "flow.ts")).out, /no findings/);
  assert.ok(JSON.parse((await start("emit", "flow.ts", "--to", "retell")).out));
  const { counts } = JSON.parse((await start("run", "flow.ts", "--scenarios", "scenarios.ts", "--json")).out);
  assert.equal(counts.pass, 1);
  writeFileSync(join(on20, "wrong.ts"), "export const graph: = 3;");
  const wrong = await runProgram(bench.nodes["20"], [program, "check", "wrong.ts"], { cwd: on20 });
  assert.match(wrong.err, /error\[module-failed\].*wrong\.ts:1:\d+ — Mend the module's syntax/);
});

test("models answer, retry, stream and replay with the AI SDK's version 7 as with version 6", async () => {
  const hook = join(bench.folder, "sdk_hook.mjs");
  writeFileSync(hook, sdkHook(pathToFileURL(join(folder, "package.json")).href));
  const files = readdirSync(join(ROOT, "tests", "models")).filter((name) => name.endsWith("_test.ts"));
  const paths = files.map((name) => join("tests", "models", name));
  const options = ["--import", pathToFileURL(hook).href, "--import", "tsx", "--test", "--test-reporter=tap"];
  const { out } = await succeed(bench.nodes["22"], [...options, ...paths], ROOT);
  assert.match(out, /^# AI SDK 7\./m);
  assert.match(out, /^# fail 0$/m);
});

/** Resolves the AI SDK from another project, and prints its version. */
function sdkHook(project: string): string {
  return `import { createRequire, registerHooks } from "node:module";
const sdk = /^(?:ai|@ai-sdk\\/.*)$/;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, sdk.test(specifier) && !context.parentURL?.includes("/node_modules/") ? { ...context, parentURL: "${project}" } : context),
});
console.log("AI SDK " + createRequire("${project}")("ai/package.json").version);
`;
}

test("the packed package compiles, emits and runs a scenario with the same results on Node 22 and 24, Bun and Deno", async () => {
  const runtimes = new Map<string, readonly string[]>([
    ["node", [bench.nodes["22"], "--no-warnings", "program.ts"]],
    ["node 24", [bench.nodes["24"], "--no-warnings", "program.ts"]],
    ...["bun", "deno"].filter(isInstalled).map((name) => [name, [...(RUNTIMES[name] ?? []), "program.ts"]] as const),
  ]);
  const results = new Map<string, unknown>();
  for (const [name, [command = "", ...args]] of runtimes)
    results.set(name, JSON.parse((await succeed(command, args)).out));
  const first = results.get("node");
  assert.equal(JSON.stringify(first).includes('"pass":1'), true, JSON.stringify(first));
  for (const [name, result] of results) assert.deepEqual(result, first, name);
  assert.equal(results.size, 4);
});

test("the package's program emits a TypeScript flow on Node 22 and says its version", async () => {
  const program = join("node_modules", "callweave", "dist", "src", "cli", "main.js");
  const { out } = await succeed(bench.nodes["22"], ["--no-warnings", program, "emit", "flow.ts", "--to", "retell"]);
  assert.ok(JSON.parse(out));
  const link = join(folder, "node_modules", ".bin", "callweave");
  assert.match(readFileSync(link, "utf8"), /^#!\/usr\/bin\/env node\n/);
  const bad = await runProgram(bench.nodes["22"], [program, "emit", "flow.ts", "--to", "retel"], { cwd: folder });
  assert.equal(bad.code, 2);
  assert.match(bad.err, /error\[unknown-format\]/);
});

test("the package's declarations are without errors for TypeScript 7 and 5.9 and both versions of the AI SDK", async () => {
  const compilerIn = (project: string) => join(project, "node_modules", "typescript", "bin", "tsc");
  for (const [project, compilers] of [
    [on20, [compilerIn(ROOT)]],
    [folder, [compilerIn(ROOT), compilerIn(folder)]],
  ] as const) {
    writeFileSync(
      join(project, "typed.ts"),
      `${FLOW}
// @ts-expect-error node "nowhere" is not declared
flow("wrong").conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("nowhere")] }).compile();
`,
    );
    const compilerOptions = {
      strict: true,
      module: "NodeNext",
      target: "ES2022",
      lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
      noEmit: true,
      types: [],
      skipLibCheck: false,
      allowImportingTsExtensions: true,
    };
    const files = ["typed.ts", "program.ts", "scenarios.ts"];
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    for (const compiler of compilers) {
      const { out } = await runProgram(bench.nodes["22"], [compiler, "-p", "tsconfig.json"], { cwd: project });
      assert.equal(out, "", `${compiler} in ${project}`);
    }
  }
});

test("the package holds the JSON Schema of the document, as the repository's root does", () => {
  const schema = JSON.parse(JSON.stringify(graphJsonSchema()));
  for (const path of [
    join(ROOT, "agent-graph.schema.json"),
    join(folder, "node_modules", "callweave", "dist", "agent-graph.schema.json"),
  ])
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), schema, `${path} is old: npm run build`);
});

test("the lock file says of the package what package.json says, so that installing changes nothing", () => {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), "utf8"));
  const { packages } = read("package-lock.json");
  const { name, version, license, dependencies, bin, devDependencies, engines } = read("package.json");
  assert.deepEqual(packages[""], { name, version, license, dependencies, bin, devDependencies, engines });
});
