// A process with a run that is killed: `_killed_run.ts '{"db": …}'`, see `KilledRun` in _kills.ts. Prints
// `run ID` when the run has started, `stored ID` after each result that is stored, `done` at the end.
import { writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../../src/base/values/mod.ts";
import { offline } from "../../../src/call/models/mod.ts";
import { type RunOptions, run } from "../../../src/run/runner/mod.ts";
import type { KilledRun } from "./_kills.ts";
import { LINE, manyScenarios } from "./_resumable.ts";

const given: KilledRun = JSON.parse(process.argv[2] ?? "{}");
const { db, scenarios, repeat, killAt, callMs = 0, resume, joinRun, shard } = given;
let events = 0;
const count = () => {
  events += 1;
  if (events === killAt) process.kill(process.pid, "SIGKILL");
};
const options: RunOptions = {
  models: { agent: offline() },
  store: db,
  repeat: { times: repeat },
  limits: { concurrency: 4 },
  share: { codeVersion: "one", ...defined({ resume, joinRun, shard }) },
  createCaller: () => ({
    next: async () => {
      if (callMs > 0) await sleep(callMs);
      return { hangUp: "caller_ended" };
    },
  }),
  listeners: {
    onResult: ({ result: { id }, place }) => {
      if (place === "stored") writeSync(1, `stored ${id}\n`);
    },
    onProgress: (event) => {
      if (event.kind === "run-start") writeSync(1, `run ${event.id}\n`);
      count();
    },
  },
};
await run(LINE, manyScenarios(scenarios), options);
writeSync(1, "done\n");
