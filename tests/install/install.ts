/** `npm run test:install`: these tests install from the npm registry, so that they are no part of `npm test`. */
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createProject } from "../package/_pack.ts";
import {
  compareRuntimes,
  compileDeclarations,
  succeed,
  useBinary,
  useCommands,
  writeSources,
} from "../package/_project.ts";
import { isInstalled, ROOT, RUNTIMES } from "../surface/cli/_process.ts";
import { createWorkbench, installPackage, npm, type Workbench } from "./_workbench.ts";

let bench: Workbench;
/** Projects in which the package was installed with Node 20, 22 and 24. */
let on20 = "";
let on22 = "";
let on24 = "";
let printed: readonly string[] = [];

before(async () => {
  bench = await createWorkbench();
  on20 = createProject(join(bench.folder, "on-20"));
  on22 = createProject(join(bench.folder, "on-22"));
  on24 = createProject(join(bench.folder, "on-24"));
  printed = [
    await installPackage(bench, "20", on20),
    await installPackage(bench, "22", on22, "typescript@5.9.3"),
    await installPackage(bench, "24", on24),
  ];
  for (const project of [on20, on22, on24]) writeSources(project);
});

after(() => rmSync(bench.folder, { recursive: true, force: true }));

test("installing the package prints no warning of engines or deprecation on Node 20, 22 and 24", async () => {
  for (const output of printed) assert.doesNotMatch(output, /EBADENGINE|deprecated|ERESOLVE/);
  const versionIn = (project: string): string =>
    JSON.parse(readFileSync(join(project, "node_modules", "ai", "package.json"), "utf8")).version;
  assert.match(versionIn(on20), /^6\./);
  assert.match(versionIn(on22), /^7\./);
  assert.match(versionIn(on24), /^7\./);
});

test("installing a clone's own packages prints no warning of engines or deprecation on Node 20, 22 and 24", async () => {
  const clone = createProject(join(bench.folder, "clone"));
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(ROOT, file), join(clone, file));
  for (const node of Object.values(bench.nodes)) {
    assert.doesNotMatch(await npm(node, ["ci", "--dry-run"], clone), /EBADENGINE|deprecated|ERESOLVE/);
  }
});

test("a TypeScript flow is checked, emitted and run on Node 20, 22 and 24 with nothing but the package", async () => {
  await useCommands(on20, [bench.nodes["20"]]);
  await useCommands(on22, [bench.nodes["22"], "--no-experimental-strip-types"]);
  await useCommands(on24, [bench.nodes["24"], "--no-experimental-strip-types"]);
});

test("models answer, retry, stream and replay with the AI SDK's version 7 as with version 6", async () => {
  const hook = join(bench.folder, "sdk_hook.mjs");
  writeFileSync(hook, sdkHook(pathToFileURL(join(on22, "package.json")).href));
  const files = readdirSync(join(ROOT, "tests", "call", "models")).filter((name) => name.endsWith("_test.ts"));
  const paths = files.map((name) => join("tests", "call", "models", name));
  const options = ["--import", pathToFileURL(hook).href, "--import", "tsx", "--test", "--test-reporter=tap"];
  const { out } = await succeed([bench.nodes["22"], ...options, ...paths], ROOT);
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

test("the installed package compiles, emits and runs a scenario with the same results on Node 22 and 24, Bun and Deno", async () => {
  const others = ["bun", "deno"].filter(isInstalled).map((name) => RUNTIMES[name] ?? []);
  assert.equal(others.length, 2);
  const nodes = [bench.nodes["22"], bench.nodes["24"]].map((node) => [node, "--no-warnings"]);
  await compareRuntimes(on22, [...nodes, ...others]);
});

test("the installed program emits a TypeScript flow on Node 22, also by the link that npm made", async () => {
  const node = [bench.nodes["22"], "--no-warnings"];
  await useBinary(on22, node);
  const link = join(on22, "node_modules", ".bin", "callweave");
  assert.match(readFileSync(link, "utf8"), /^#!\/usr\/bin\/env node\n/);
  assert.ok(JSON.parse((await succeed([...node, link, "emit", "flow.ts", "--to", "retell"], on22)).out));
});

test("the package's declarations are without errors for TypeScript 7 and 5.9 and both versions of the AI SDK", async () => {
  const compilerIn = (project: string) => [
    bench.nodes["22"],
    join(project, "node_modules", "typescript", "bin", "tsc"),
  ];
  await compileDeclarations(on20, compilerIn(ROOT));
  await compileDeclarations(on22, compilerIn(ROOT));
  await compileDeclarations(on22, compilerIn(on22));
});
