/**
 * Makes the npm package in dist/: ESM JavaScript, declarations, and the program `callweave`. Writes the JSON Schemas of
 * documents to `schemas/`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bundle, PROGRAMS } from "./bundle.ts";
import { ENTRY_POINTS } from "./reference/symbols.ts";
import { writeSchemas } from "./schemas/mod.ts";

const PROGRAM = join("dist", "src", "surface", "cli", "main.js");

rmSync("dist", { recursive: true, force: true });
const compiler = join("node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await bundle([...Object.values(ENTRY_POINTS), ...PROGRAMS], "dist");

// readers of declarations need files that exist
for (const file of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".d.ts")) continue;
  const path = join("dist", file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
}
// declarations of the AI SDK use Node's types, which newer compilers load only if they are named
for (const entry of Object.values(ENTRY_POINTS)) {
  const declarations = join("dist", entry.replace(/\.ts$/, ".d.ts"));
  writeFileSync(declarations, `/// <reference types="node" />\n${readFileSync(declarations, "utf8")}`);
}
chmodSync(PROGRAM, 0o755);

await writeSchemas(".");
// documents written by earlier versions refer to this file
copyFileSync(join("schemas", "graph.json"), join("dist", "agent-graph.schema.json"));
console.log(`built dist/, ${PROGRAM} and schemas/`);
