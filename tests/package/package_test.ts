import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { graphJsonSchema } from "../../src/graph/mod.ts";
import { type Ended, isInstalled, ROOT, RUNTIMES, runProgram } from "../cli/_process.ts";

const NODE_22 = join(ROOT, "node_modules", "node", "bin", "node");
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

let folder = "";

async function succeed(command: string, args: readonly string[], cwd = folder): Promise<Ended> {
  const ended = await runProgram(command, args, { cwd });
  assert.equal(ended.code, 0, `${command} ${args.join(" ")}: ${ended.err}${ended.out}`);
  return ended;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "callweave-package-"));
  rmSync(join(ROOT, "dist"), { recursive: true, force: true }); // as in a clean clone: packing is what builds
  const packed = await succeed("npm", ["pack", "--json", "--pack-destination", folder], ROOT);
  const tarball = JSON.parse(packed.out)[0].filename;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  writeFileSync(join(folder, "flow.ts"), FLOW);
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  await succeed("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, tarball)]);
});

test("the packed package compiles, emits and runs a scenario with the same results on Node 22, Bun and Deno", async () => {
  const runtimes = new Map<string, readonly string[]>([
    ["node", [NODE_22, "--no-warnings", "program.ts"]],
    ...["bun", "deno"].filter(isInstalled).map((name) => [name, [...(RUNTIMES[name] ?? []), "program.ts"]] as const),
  ]);
  const results = new Map<string, unknown>();
  for (const [name, [command = "", ...args]] of runtimes)
    results.set(name, JSON.parse((await succeed(command, args)).out));
  const first = results.get("node");
  assert.equal(JSON.stringify(first).includes('"pass":1'), true, JSON.stringify(first));
  for (const [name, result] of results) assert.deepEqual(result, first, name);
  assert.equal(results.size, 3);
});

test("the package's program emits a TypeScript flow on Node 22 and says its version", async () => {
  const program = join("node_modules", "callweave", "dist", "src", "cli", "main.js");
  const { out } = await succeed(NODE_22, ["--no-warnings", program, "emit", "flow.ts", "--to", "retell"]);
  assert.ok(JSON.parse(out));
  const link = join(folder, "node_modules", ".bin", "callweave");
  assert.match(readFileSync(link, "utf8"), /^#!\/usr\/bin\/env node\n/);
  const bad = await runProgram(NODE_22, [program, "emit", "flow.ts", "--to", "retel"], { cwd: folder });
  assert.equal(bad.code, 2);
  assert.match(bad.err, /error\[unknown-format\]/);
});

test("the package's declarations resolve, and the compiler's checks of a flow come with them", async () => {
  writeFileSync(
    join(folder, "typed.ts"),
    `${FLOW}
// @ts-expect-error node "nowhere" is not declared
flow("wrong").conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("nowhere")] }).compile();
`,
  );
  const options = {
    compilerOptions: {
      strict: true,
      module: "NodeNext",
      target: "ES2022",
      lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
      noEmit: true,
      types: [],
      skipLibCheck: false,
      allowImportingTsExtensions: true,
    },
    files: ["typed.ts", "program.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  const { out } = await runProgram(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.json"], { cwd: folder });
  const ours = out.split("\n").filter((line) => /^(?:typed|program|flow)\.ts|node_modules\/callweave\//.test(line));
  assert.deepEqual(ours, []);
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
