import assert from "node:assert/strict";
import { test } from "node:test";
import { runChaos } from "../../chaos.ts";

test("run() completes every scenario when the provider fails three of ten requests", { timeout: 120_000 }, async () => {
  const { lost, hung, wrong, callsOverPolicy, faults, errors } = await runChaos(24, 5, 3_000);
  assert.deepEqual({ lost, hung, wrong, callsOverPolicy }, { lost: 0, hung: 0, wrong: 0, callsOverPolicy: 0 });
  assert.ok(faults > 20);
  assert.equal(errors.length, 1, "one scenario cannot succeed");
});
