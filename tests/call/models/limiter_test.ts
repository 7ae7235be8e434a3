import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { generated } from "../../../src/call/models/embedded.ts";
import { callForReply, limiterMiddleware } from "../../../src/call/models/mod.ts";
import { embeddedModel } from "../../../src/call/models/model.ts";
import { TestClock } from "../../test_clock.ts";

const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };

test("a limiter restricts the calls that share it to a number at a time", async () => {
  let running = 0;
  let most = 0;
  const model = embeddedModel("slow", async () => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 5; turn++) await nextTask(); // others could begin meanwhile
    running -= 1;
    return generated("Hello");
  });
  const within = [limiterMiddleware({ maxParallel: 3 })];
  await Promise.all(Array.from({ length: 20 }, () => callForReply(model, request, { within })));
  assert.equal(most, 3);
});

test("a call that waits for the rate limit can be aborted", async () => {
  let made = 0;
  const model = embeddedModel("counted", async () => generated(`Hello ${++made}`));
  const over = new AbortController();
  const within = [limiterMiddleware({ perMinute: 2 }, over.signal)];
  const call = (signal?: AbortSignal) => callForReply(model, request, { within, ...(signal ? { signal } : {}) });
  await Promise.all([call(), call()]);
  const waiting = new AbortController();
  const third = call(waiting.signal);
  setImmediate(() => waiting.abort());
  await assert.rejects(third, { code: "aborted" });
  assert.equal(made, 2);
  over.abort(); // the process would wait for the minute
  await assert.rejects(call());
  assert.equal(made, 2);
});

test("waiting for the limiter does not count towards a request's timeout, and a timed-out request frees its slot", async () => {
  let asked = 0;
  const clock = new TestClock();
  const model = embeddedModel("stubborn", async () => {
    if (++asked <= 2) {
      setImmediate(() => clock.advance(200));
      await new Promise(() => {}); // without a look at its signal
    }
    return generated("Hello");
  });
  // one hangs until its time is up, then another: whoever waits for both has waited for twice the time of a request
  const within = [limiterMiddleware({ maxParallel: 1 })];
  const calls = await Promise.allSettled(
    Array.from({ length: 20 }, () => callForReply(model, request, { within, tryTimeoutMs: 200, timers: clock })),
  );
  const failures = calls.flatMap((call) => (call.status === "rejected" ? [call.reason.code] : []));
  assert.deepEqual(failures, ["model-timeout", "model-timeout"]);
});

test("a request's timeout starts after the limiter", async () => {
  const clock = new TestClock();
  const model = embeddedModel("slow", async () => {
    clock.advance(150); // nearly as long as a try may take; the last one waits for three times as long
    await nextTask();
    return generated("Hello");
  });
  const within = [limiterMiddleware({ maxParallel: 1 })];
  const options = { within, tryTimeoutMs: 200, timers: clock };
  const replies = await Promise.all(Array.from({ length: 4 }, () => callForReply(model, request, options)));
  assert.deepEqual(
    replies.map(({ text }) => text),
    Array(4).fill("Hello"),
  );
});
