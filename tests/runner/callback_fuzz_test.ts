import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzCallbacks } from "../callback_fuzz.ts";

test("no callback makes a run pass wrongly, hang, throw an untyped error or lose its result", async () => {
  const options = { seed: 3, limitMs: 60_000, waits: false };
  const { wrongPasses, rawErrors, hangs, lost, told } = await fuzzCallbacks(180, options);
  assert.deepEqual({ wrongPasses, rawErrors, hangs, lost }, { wrongPasses: [], rawErrors: [], hangs: [], lost: [] });
  assert.ok(told > 40, `${told} of 180 runs said what their callback did`);
});
