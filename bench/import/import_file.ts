/** Imports a file into a database: `import_file.ts FILE DATABASE`. Prints the report and the peak memory. */
import process from "node:process";
import { importCalls } from "../../api/calls.ts";

const [file = "", store = ""] = process.argv.slice(2);
const startedAt = performance.now();
const { added, known, damaged } = await importCalls([file], { store });
const wallMs = performance.now() - startedAt;
console.log(JSON.stringify({ added, known, damaged, wallMs, peakKb: process.resourceUsage().maxRSS }));
