import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNS_SLOW_CASES, sampled } from "../fast_check.ts";
import { fuzzFiles } from "./file_fuzz.ts";

test("a damaged lock file, state, snapshot, plan, record of pulls, configuration, recording or spool is an error with a hint, and nothing is written", async () => {
  const step = RUNS_SLOW_CASES ? Math.round(100 / sampled(100)) : 5;
  const { damages, ...wrong } = await fuzzFiles(step);
  assert.deepEqual(wrong, { successes: [], rawErrors: [], changed: [] });
  assert.ok(damages > (step === 1 ? 300 : 50), `${damages} damages`);
});
