// A process that writes to a database concurrently with others: `_writer.ts URL RUNS RESULTS`.
import process from "node:process";
import { openStore } from "../../../src/run/store/mod.ts";
import { newResult, newRun } from "./_fixtures.ts";

const [url, runs, results] = process.argv.slice(2);
const store = await openStore(url);
for (let i = 0; i < Number(runs); i++) {
  const run = await store.startRun(newRun());
  await Promise.all(
    Array.from({ length: Number(results) }, (_, trial) => store.addResult(run.id, newResult({ trial }))),
  );
  await store.finishRun(run.id);
  console.log(run.id);
}
await store.close();
