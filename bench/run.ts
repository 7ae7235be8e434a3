/** `npm run bench -- NAME…` runs the named benches, `npm run bench` all of them. Prints one JSON line per figure. */
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Bench, figureLine } from "./figure.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const folders = (await readdir(new URL(".", import.meta.url), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const unknown = positionals.filter((name) => !folders.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot run bench "${unknown.join('", "')}": there are ${folders.join(", ")}`);
  process.exit(2);
}

let failed = false;
for (const name of positionals.length > 0 ? positionals : folders) {
  const module: { readonly bench: Bench } = await import(`./${name}/bench.ts`);
  const figures = module.bench();
  for await (const figure of Symbol.asyncIterator in figures ? figures : await figures) {
    console.log(figureLine(figure));
    failed ||= figure.bound !== undefined && figure.value > figure.bound;
  }
}
process.exitCode = failed ? 1 : 0;
