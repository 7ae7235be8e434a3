import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { emit } from "../../mod.ts";
import { PROGRAMS } from "../../scripts/bundle.ts";
import { HEAVY, loadedBy, packagesIn } from "../surface/cli/_loaded.ts";
import { isInstalled, ROOT, RUNTIMES, runProgram } from "../surface/cli/_process.ts";
import { bundledPackages, subclassNames } from "./_bundles.ts";
import { brokenLinks } from "./_links.ts";
import { newProjects, runWorkflow, testNewProject, useNewProject } from "./_new_project.ts";
import { createProject, linkBinary, linkDependencies, linkTransitively, packPackage, unpackPackage } from "./_pack.ts";
import { compareRuntimes, compileDeclarations, succeed, useBinary, useCommands, writeSources } from "./_project.ts";
import { compareTestRunners } from "./_test_runners.ts";

const NODE_22 = join(ROOT, "node_modules", "node", "bin", "node");

/** A program that compiles a flow and emits it. */
const COMPILES = `import { emit, flow } from "callweave";
const graph = flow("small").end("bye", { prompt: "Say goodbye." }).compile();
for (const format of ["retell", "vapi-squad", "graph"]) emit(graph, format);
try {
  flow("wrong").compile();
} catch ({ name }) {
  if (name !== "FlowError") throw new Error(name);
}
`;

let folder = "";
/** A project of a user, with the packed package and its dependencies. */
let project = "";
let tarball = "";
let paths: ReadonlySet<string> = new Set();

// a hook outside of a group would run while other files load, and replace dist/ under their tests
describe("the package", () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "callweave-package-"));
    project = createProject(join(folder, "project"), { callweave: "*" });
    ({ tarball, paths } = await packPackage(folder));
    await unpackPackage(tarball, project);
    linkDependencies(project);
    linkBinary(project);
    writeSources(project);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  test("a TypeScript flow is checked, emitted and run with only the package, on a Node without TypeScript support", async () => {
    const machines = await nodeOfMachine();
    await useCommands(project, machines ? [machines] : [NODE_22, "--no-experimental-strip-types"]); // as Node 20 does
  });

  test("the packed package compiles, emits and runs a scenario with the same results on Node 22, Bun and Deno", async () => {
    const others = ["bun", "deno"].filter(isInstalled).map((name) => RUNTIMES[name] ?? []);
    assert.equal(others.length, 2);
    await compareRuntimes(project, [[NODE_22, "--no-warnings"], ...others]);
  });

  test("the package's program emits a TypeScript flow on Node 22 and rejects an unknown format", async () => {
    await useBinary(project, [NODE_22, "--no-warnings"]);
  });

  test("the package has the program and the scripts that it starts, and run --watch starts its own", async () => {
    assert.ok(PROGRAMS.includes("src/surface/cli/run/watch/watch_child.ts"));
    for (const path of PROGRAMS) assert.ok(paths.has(`dist/${path.replace(/\.ts$/, ".js")}`), path);
    const source = 'export { graph } from "./flow.ts";\nexport { scenarios } from "./scenarios.ts";\n';
    writeFileSync(join(project, "watched.ts"), source);
    const program = ["--no-warnings", join("node_modules", ".bin", "callweave")];
    const { code, out, err } = await runProgram(NODE_22, [...program, "run", "watched.ts", "--watch"], {
      cwd: project,
      interruptAt: "watching for changes",
    });
    assert.equal(code, 0, err);
    assert.match(out, /1 passed/);
  });

  test("compiling and emitting with the package loads a few files, no AI SDK, no libSQL and no platform client", async () => {
    writeFileSync(join(project, "main.mjs"), COMPILES);
    const urls = await loadedBy(project);
    const own = urls.filter((url) => url.includes("/callweave/dist/"));
    assert.ok(own.length > 0 && own.length < 60, `${own.length} files`);
    assert.deepEqual(
      packagesIn(urls).filter((name) => HEAVY.includes(name)),
      [],
    );
  });

  test("a user's bundle of a program that compiles and emits has no AI SDK, no libSQL and no platform client", async () => {
    writeFileSync(join(project, "bundled.mjs"), COMPILES);
    const packages = await bundledPackages(join(project, "bundled.mjs"));
    assert.ok(packages.includes("callweave"), packages.join());
    assert.deepEqual(
      packages.filter((name) => [...HEAVY, "jiti", "zod"].includes(name)),
      [],
    );
  });

  test("the package's error classes have the names that they have in the sources, because errors are named after them", () => {
    const names = ["src", "dsl", "platforms"].flatMap((path) => subclassNames(join(ROOT, path), ".ts"));
    assert.ok(names.includes("FlowError"));
    assert.deepEqual(subclassNames(join(project, "node_modules", "callweave", "dist"), ".js"), names.sort());
  });

  test("the same scenarios have the same verdicts with callweave run, bun test, deno test, node --test and Vitest", async () => {
    await compareTestRunners(project, NODE_22);
  });

  for (const each of newProjects([NODE_22, "--no-experimental-strip-types"]))
    test(`init writes a project whose first run, tests and CI workflow succeed at once on ${each.runtime}`, async () => {
      const modules = join(project, "node_modules");
      const made = await useNewProject(each, join(folder, `new-${each.runtime}`), modules);
      await testNewProject(made, each.test);
      if (each.runtime !== "node") return;
      await runWorkflow(made, each.start, modules);
      const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
      assert.equal((await succeed([NODE_22, compiler], made)).out, "");
    });

  test("init writes a project from an agent of Retell that runs at once", async () => {
    const [node] = newProjects([NODE_22, "--no-experimental-strip-types"]);
    assert.ok(node);
    const modules = join(project, "node_modules");
    const agent = join(folder, "retell.json");
    writeFileSync(agent, emit(helpDesk, "retell").text);
    const made = await useNewProject(node, join(folder, "imported"), modules, ["--from", agent]);
    assert.match(readFileSync(join(made, "flow.ts"), "utf8"), /\.compile\(\)/);
  });

  test("every relative link in the package's pages leads to a file or folder in the package", () => {
    assert.deepEqual(brokenLinks(paths), []);
  });

  test("declarations of the package and its dependencies have no errors in TypeScript 7", async () => {
    const typed = createProject(join(folder, "typed"));
    await unpackPackage(tarball, typed);
    linkTransitively(typed);
    writeSources(typed);
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    await compileDeclarations(typed, [NODE_22, compiler, "--preserveSymlinks", "--checkers", "1"]);
  });

  test("the package exports the JSON Schemas of graphs, scenarios and the configuration, also under the former name", () => {
    const own = join(project, "node_modules", "callweave");
    const { exports } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
    assert.equal(exports["./schemas/*.json"], "./schemas/*.json");
    for (const name of readdirSync(join(ROOT, "schemas")))
      assert.equal(readFileSync(join(own, "schemas", name), "utf8"), readFileSync(join(ROOT, "schemas", name), "utf8"));
    const former = [exports["./agent-graph.schema.json"], "dist/agent-graph.schema.json"];
    for (const path of former)
      assert.equal(readFileSync(join(own, path), "utf8"), readFileSync(join(ROOT, "schemas", "graph.json"), "utf8"));
  });
});

/** The machine's own Node, where it is another major version than the checkout's, and one that the package is for. */
async function nodeOfMachine(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((path) => !/node_modules[\\/]\.bin/.test(path));
  const node = folders.map((path) => join(path, "node")).find((path) => existsSync(path));
  if (!node) return undefined;
  const { out } = await runProgram(node, ["--version"]);
  const major = Number(/^v(\d+)\./.exec(out)?.[1]);
  return major >= 20 && major !== 22 ? node : undefined;
}
