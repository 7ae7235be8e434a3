import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzFiles } from "./file_fuzz.ts";

test("a damaged lock file, state, snapshot, plan, record of pulls, configuration, recording or spool is an error with a hint, and nothing is written", async () => {
  const { damages, ...wrong } = await fuzzFiles();
  assert.deepEqual(wrong, { successes: [], rawErrors: [], changed: [] });
  assert.equal(damages, 301);
});
