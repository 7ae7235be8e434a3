import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNS_SLOW_CASES } from "../fast_check.ts";
import { fuzzFiles } from "./file_fuzz.ts";

test("a damaged lock file, state, snapshot, plan, record of pulls, configuration, recording or spool is an error with a hint, and nothing is written", async () => {
  const { damages, ...wrong } = await fuzzFiles(RUNS_SLOW_CASES ? 1 : 5);
  assert.deepEqual(wrong, { successes: [], rawErrors: [], changed: [] });
  assert.ok(damages > (RUNS_SLOW_CASES ? 300 : 50), `${damages} damages`);
});
