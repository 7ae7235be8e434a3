// A process that adds trials to a shared run: `_joiner.ts URL NAME FIRST COUNT TOTAL`. Trials
// count from FIRST and start over after TOTAL.
import process from "node:process";
import { openStore } from "../../../src/run/store/mod.ts";
import { newResult, newRun } from "./_fixtures.ts";

const [url, joinRun = "", ...numbers] = process.argv.slice(2);
const [first = 1, count = 0, total = 1] = numbers.map(Number);
const store = await openStore(url);
const run = await store.startRun(newRun({ joinRun, plan: { total } }));
await Promise.all(
  Array.from({ length: count }, (_, index) =>
    store.addResult(run.id, newResult({ trial: ((first + index - 1) % total) + 1, attempt: 1 })),
  ),
);
await store.finishRun(run.id);
await store.close();
console.log(run.id);
