import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs, type Retries, withRetries } from "../../../src/base/values/mod.ts";

const FAILED = new Error("failed");

/** Runs attempts that fail this often; pauses end at once, and are recorded. */
async function run(failures: number, given: Partial<Retries> = {}) {
  const pauses: number[] = [];
  let attempts = 0;
  const outcome = await withRetries(
    async () => {
      attempts += 1;
      if (attempts <= failures) throw FAILED;
      return "done";
    },
    {
      mayPass: () => true,
      pauseMs: (_, failed) => failed * 10,
      clock: { pause: async (ms) => void pauses.push(ms) },
      ...given,
    },
  ).catch((error: unknown) => error);
  return { outcome, attempts, pauses };
}

test("an attempt is repeated until it succeeds, with the pause that its number asks for", async () => {
  assert.deepEqual(await run(0), { outcome: "done", attempts: 1, pauses: [] });
  assert.deepEqual(await run(3), { outcome: "done", attempts: 4, pauses: [10, 20, 30] });
});

test("the last error is thrown after the most retries, or when it will not pass", async () => {
  assert.deepEqual(await run(9, { most: 2 }), { outcome: FAILED, attempts: 3, pauses: [10, 20] });
  assert.deepEqual(await run(9, { most: 0 }), { outcome: FAILED, attempts: 1, pauses: [] });
  const asked: unknown[] = [];
  const mayPass = (error: unknown, failed: number) => asked.push([error, failed]) < 2;
  assert.deepEqual(await run(9, { mayPass }), { outcome: FAILED, attempts: 2, pauses: [10] });
  assert.deepEqual(asked, [
    [FAILED, 1],
    [FAILED, 2],
  ]);
});

test("a retry is told before its pause, and one without a pause asks no clock", async () => {
  const told: unknown[] = [];
  const onRetry: Retries["onRetry"] = (error, failed) => told.push([error, failed]);
  const clock: Retries["clock"] = { pause: async (ms) => void told.push(ms) };
  await run(2, { onRetry, clock, pauseMs: (_, failed) => (failed === 1 ? undefined : 7) });
  assert.deepEqual(told, [[FAILED, 1], [FAILED, 2], 7]);
});

test("an abort during the pause ends the attempts with the signal's reason", async () => {
  const stop = new AbortController();
  const clock: Retries["clock"] = {
    pause: async (_, signal) => {
      if (signal === stop.signal) stop.abort("enough");
    },
  };
  const { outcome, attempts } = await run(9, { signal: stop.signal, clock });
  assert.equal(outcome, "enough");
  assert.equal(attempts, 1);
});

test("pauses double up to the longest, and jitter stays between its bounds", () => {
  const pauses = [1, 2, 3, 4, 2000].map((failed) => backoffMs({ firstMs: 100, longestMs: 500 }, failed));
  assert.deepEqual(pauses, [100, 200, 400, 500, 500]);
  assert.ok(Number.isFinite(backoffMs({ firstMs: 100 }, 2000)));
  const random = (jitter: readonly [number, number], failed: number) =>
    Array.from({ length: 200 }, () => backoffMs({ firstMs: 100, longestMs: 500, jitter }, failed));
  assert.ok(random([0.5, 1], 9).every((ms) => ms >= 250 && ms <= 500));
  assert.ok(new Set(random([0.5, 1], 9)).size > 1, "capped pauses differ too");
  assert.ok(random([1, 2], 2).every((ms) => ms >= 200 && ms <= 400));
  assert.ok(random([1, 2], 3).every((ms) => ms <= 500));
});
