// A process that opens databases concurrently with others: `_opener.ts FILE...`. Prints the number of runs of each.
import process from "node:process";
import { openStore } from "../../../src/run/store/mod.ts";

for (const path of process.argv.slice(2)) {
  await using store = await openStore(path);
  console.log((await store.listRuns()).length);
}
