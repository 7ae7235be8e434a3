import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzCallbacks } from "../../callback_fuzz.ts";
import { sampled } from "../../fast_check.ts";

test("no callback makes a run pass wrongly, hang, throw an untyped error or lose its result", async () => {
  const options = { seed: 3, limitMs: 60_000, waits: false };
  const count = Math.max(sampled(180), 40); // each callback at least once
  const { wrongPasses, rawErrors, hangs, lost, told } = await fuzzCallbacks(count, options);
  assert.deepEqual({ wrongPasses, rawErrors, hangs, lost }, { wrongPasses: [], rawErrors: [], hangs: [], lost: [] });
  assert.ok(told > 0.22 * count, `${told} of ${count} runs said what their callback did`);
});
