import assert from "node:assert/strict";
import { test } from "node:test";
import { sampled } from "../fast_check.ts";
import { fuzzFiles } from "./file_fuzz.ts";

test("a damaged lock file, state, snapshot, plan, record of pulls, configuration, recording or spool is an error with a hint, and nothing is written", async () => {
  const { damages, ...wrong } = await fuzzFiles(Math.round(100 / sampled(100)));
  assert.deepEqual(wrong, { successes: [], rawErrors: [], changed: [] });
  assert.ok(damages > sampled(300), `${damages} damages`);
});
