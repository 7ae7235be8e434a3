import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { HEAVY, loadedBy, packagesIn } from "./_loaded.ts";
import { ownRuntime, ownStart, RUNTIMES } from "./_process.ts";
import { folder, GRAPH } from "./_terminal.ts";

/** How Node starts, with compiled sources where there are some. Node alone cannot parse all of TypeScript. */
const [, ...flags] = ownRuntime() === "node" ? ownStart("each file") : (RUNTIMES.node ?? []);

/** The URLs of what a module loads. */
const sourcesOf = (code: string) => loadedBy(folder({ "main.mjs": code }), flags);

/** The packages that a module loads. */
const packagesOf = async (code: string) => packagesIn(await sourcesOf(code));

/** The rooms of `src/` that a command loads. */
async function foldersOf(...args: readonly string[]): Promise<readonly string[]> {
  const urls = await sourcesOf(commandLine(args));
  return [...new Set(urls.flatMap((url) => /\/src\/\w+\/(\w+)\/[^?]*\.ts/.exec(url)?.[1] ?? []))];
}

const commandLine = (args: readonly string[]) => `import process from "node:process";
process.argv = [process.argv[0], "callweave", ...${JSON.stringify(args)}];
await import(${JSON.stringify(new URL("../../../src/surface/cli/main.ts", import.meta.url).href)});
`;

const MOD = JSON.stringify(new URL("../../../mod.ts", import.meta.url).href);

test("importing mod.ts to compile and emit loads no AI SDK, no libSQL and no platform client", async () => {
  const loaded = await packagesOf(`import { emit, flow } from ${MOD};
const graph = flow("small").end("bye", { prompt: "Say goodbye." }).compile();
for (const format of ["retell", "vapi-squad", "graph"]) emit(graph, format);
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
  assert.ok(loaded.includes("@libsql/client"), loaded.join(", "));
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
