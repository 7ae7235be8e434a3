/**
 * Generates the pictures of the documentation, the charts of imports and the number of executed files, the API
 * reference in `docs/api/`, the JSON Schemas in `schemas/`, what `dsl` and `src/document` know of the platforms, the
 * tables of platforms and callers in `docs/`, and the documentation for language models. The exit code is 1 if a task executes more
 * files than its limit.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { draw } from "../api/analysis.ts";
import { helpDesk } from "../examples/help-desk/flow.ts";
import { writeCallerTables } from "./caller_tables.ts";
import { drawImports } from "./draw_imports.ts";
import { llmsTexts } from "./llms.ts";
import { writePlatforms } from "./platform_names.ts";
import { writeTables } from "./platform_tables.ts";
import { referencePages } from "./reference/pages.ts";
import { readSymbols } from "./reference/symbols.ts";
import { writeSchemas } from "./schemas/mod.ts";
import { writeWebPages } from "./web_pages.ts";

writeFileSync("docs/help-desk.svg", draw(helpDesk));
console.log("drew docs/help-desk.svg");

await writePlatforms(".");
await writeTables(".");
console.log("wrote the names of the platforms, and the tables of them");

writeCallerTables(".");
console.log("wrote the tables of callers");

writeWebPages(".");
console.log("bundled the pages for browsers");

drawImports(".");
console.log("drew the charts in CONTRIBUTING.md");

// in a process of its own: here, most files have run already
const counted = spawnSync(process.execPath, ["--import", "tsx", "scripts/executed_files.ts", "--write"], {
  stdio: "inherit",
});
if (counted.status !== 0) process.exitCode = 1;
console.log("counted the executed files for CONTRIBUTING.md");

await writeSchemas(".");
console.log("wrote schemas/");

const pages = referencePages(await readSymbols(process.cwd()));
rmSync("docs/api", { recursive: true, force: true });
mkdirSync("docs/api");
for (const [name, text] of pages) writeFileSync(`docs/api/${name}`, text);
console.log(`wrote ${pages.size} pages of docs/api`);

for (const [name, text] of llmsTexts(".")) writeFileSync(name, text);
console.log("wrote llms.txt and llms-full.txt");
