import assert from "node:assert/strict";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { judgeCall } from "../../../src/run/runner/judging.ts";

test("judging times out when middleware around the judge never settles", async () => {
  const limits: number[] = [];
  const clock = {
    now: () => 0,
    pause: () => () => {},
    after: (ms: number, done: () => void) => {
      limits.push(ms);
      queueMicrotask(done);
      return () => {};
    },
  };
  const hangs = { specificationVersion: "v3", wrapGenerate: () => new Promise<never>(() => {}) } as const;
  const judging = judgeCall([{ criterion: "The agent is friendly", threshold: 0.7 }], [], {
    model: scripted({ judge: [] }),
    clock,
    around: () => [hangs],
    tryTimeoutMs: 1_000,
    retry: { retries: 2, maxDelayMs: 500 },
  });
  await assert.rejects(judging, { code: "model-timeout", message: /did not answer within 9000 ms$/ });
  assert.deepEqual(limits, [9_000]);
});
