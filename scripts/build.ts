/**
 * Makes the npm package in dist/: ESM JavaScript, declarations, and the program `callweave`. Writes the JSON Schemas of
 * documents to `schemas/`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { bundle, PROGRAMS } from "./bundle.ts";
import { ENTRY_POINTS } from "./reference/symbols.ts";
import { writeSchemas } from "./schemas/mod.ts";

/** A relative import of a module of the repository. Those that the compiler adds for inferred types end with `.js`. */
const IMPORT = /((?:from|import\()\s*")(\.[^"]*)\.[tj]s"/g;
const PROGRAM = join("dist", "src", "surface", "cli", "main.js");

rmSync("dist", { recursive: true, force: true });
const compiler = join("node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await bundle([...Object.values(ENTRY_POINTS), ...PROGRAMS], "dist");

const declared = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
const shipped = reachedFrom(Object.values(ENTRY_POINTS).map((entry) => declarationsOf(join("dist", entry))));
for (const path of declared.map((file) => join("dist", file))) {
  // a file takes a whole block on a disk, and nobody can import the others
  if (!shipped.has(path)) rmSync(path);
  // readers of declarations need files that exist
  else writeFileSync(path, readFileSync(path, "utf8").replaceAll(IMPORT, '$1$2.js"'));
}
// declarations of the AI SDK use Node's types, which newer compilers load only if they are named
for (const entry of Object.values(ENTRY_POINTS)) {
  const declarations = declarationsOf(join("dist", entry));
  writeFileSync(declarations, `/// <reference types="node" />\n${readFileSync(declarations, "utf8")}`);
}
chmodSync(PROGRAM, 0o755);

await writeSchemas(".");
// documents written by earlier versions refer to this file
copyFileSync(join("schemas", "graph.json"), join("dist", "agent-graph.schema.json"));
console.log(`built dist/, ${PROGRAM} and schemas/`);

function declarationsOf(module: string): string {
  return module.replace(/\.ts$/, ".d.ts");
}

/** Files of declarations, with all that they import. */
function reachedFrom(files: readonly string[]): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached)
    for (const [, , path] of readFileSync(file, "utf8").matchAll(IMPORT))
      reached.add(join(dirname(file), `${path}.d.ts`));
  return reached;
}
