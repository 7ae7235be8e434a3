import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzScenarios } from "../../scenario_fuzz.ts";

test("run() never passes a damaged scenario document whose expectations fail", { timeout: 120_000 }, async () => {
  const { wrongPasses, rawErrors, hangs, lost, refused } = await fuzzScenarios(400, 3, 60_000);
  assert.deepEqual({ wrongPasses, rawErrors, hangs, lost }, { wrongPasses: [], rawErrors: [], hangs: 0, lost: 0 });
  assert.ok(refused > 100);
});
