import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ownStart, ROOT, runProgram } from "./_process.ts";
import { folder, GRAPH } from "./_terminal.ts";

const HEAVY = ["ai", "@ai-sdk/openai", "@ai-sdk/provider", "@libsql/client", "retell-sdk", "@vapi-ai/server-sdk"];

const NODE_22 = join(ROOT, "node_modules", ".bin", "node");

/** The URLs of what a module loads when Node runs it. */
async function loadedBy(code: string): Promise<readonly string[]> {
  const path = folder({
    "main.mjs": code,
    // a file: a pipe whose reader is busy refuses a synchronous write
    "start.mjs": `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    appendFileSync("loaded.txt", url + "\\n");
    return next(url, context);
  },
});
await import("./main.mjs");
`,
  });
  const [, ...flags] = ownStart("each file"); // with compiled sources where there are some
  const { code: exit, err } = await runProgram(NODE_22, [...flags, join(path, "start.mjs")], { cwd: path });
  assert.equal(exit, 0, err);
  const urls = readFileSync(join(path, "loaded.txt"), "utf8").split("\n");
  assert.ok(
    urls.some((url) => url.includes("/main.mjs")),
    "the hook sees what is loaded",
  );
  return urls;
}

/** The packages that a module loads when Node runs it. */
async function packagesOf(code: string): Promise<readonly string[]> {
  const urls = await loadedBy(code);
  return [...new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))];
}

/** The folders of `src/` that a command loads. */
async function foldersOf(...args: readonly string[]): Promise<readonly string[]> {
  const urls = await loadedBy(commandLine(args));
  return [...new Set(urls.flatMap((url) => /\/src\/(\w+)\/[^?]*\.ts/.exec(url)?.[1] ?? []))];
}

const commandLine = (args: readonly string[]) => `import process from "node:process";
process.argv = [process.argv[0], "callweave", ...${JSON.stringify(args)}];
await import(${JSON.stringify(new URL("../../src/cli/main.ts", import.meta.url).href)});
`;

const MOD = JSON.stringify(new URL("../../mod.ts", import.meta.url).href);

test("importing mod.ts to compile and emit loads no AI SDK, no libSQL and no platform client", async () => {
  const loaded = await packagesOf(`import { emit, flow } from ${MOD};
const graph = flow("small").end("bye", { prompt: "Say goodbye." }).compile();
for (const format of ["retell", "vapi-squad", "mermaid"]) emit(graph, format);
`);
  assert.ok(loaded.includes("valibot"), `the hook sees packages: ${loaded.join(", ")}`);
  assert.deepEqual(
    loaded.filter((name) => HEAVY.includes(name)),
    [],
  );
});

test("running a scenario loads them, so that the test above can fail", async () => {
  const loaded = await packagesOf(`import { flow, run, scenario } from ${MOD};
const graph = flow("small").end("bye", { prompt: "Say goodbye." }).compile();
await run(graph, [scenario("ends").says("hello").ends("agent_ended")], { store: ":memory:" });
`);
  assert.ok(loaded.includes("ai") && loaded.includes("@libsql/client"), loaded.join(", "));
});

test("callweave --help loads no package at all", async () => {
  const loaded = await packagesOf(commandLine(["--help"]));
  assert.deepEqual(
    loaded.filter((name) => name !== "tsx"),
    [],
  );
});

test("commands that compare agents or list runs load neither the engine nor judges, and no more than they need", async () => {
  const path = folder({ "graph.json": GRAPH });
  const file = join(path, "graph.json");
  const diff = await foldersOf("diff", file, file);
  assert.ok(diff.includes("analysis"), diff.join(", "));
  const heavy = ["models", "turn", "engine", "callers", "judges", "store", "runner", "reporters"];
  assert.deepEqual(
    diff.filter((name) => heavy.includes(name)),
    [],
  );
  const help = await foldersOf("runs", "show", "--help");
  assert.ok(help.includes("cli"), help.join(", "));
  assert.deepEqual(
    help.filter((name) => heavy.includes(name)),
    [],
  );
});
