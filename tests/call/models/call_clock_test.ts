import assert from "node:assert/strict";
import { test } from "node:test";
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { generated } from "../../../src/call/models/embedded.ts";
import { waitingMiddleware } from "../../../src/call/models/middleware/retry.ts";
import { type CallClock, callForReply, createCallClock } from "../../../src/call/models/mod.ts";
import { embeddedModel } from "../../../src/call/models/model.ts";
import { TestClock, WITHOUT_PAUSES } from "../../test_clock.ts";

const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };

/** A clock that tells how many hold it. */
function guardedClock(): CallClock & { readonly holders: () => number; readonly isHeld: Promise<void> } {
  let holders = 0;
  let hold = () => {};
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const pause = () => {
    holders += 1;
    hold();
    let held = true;
    return () => {
      if (held) holders -= 1;
      held = false;
    };
  };
  return { ...createCallClock(), pause, holders: () => holders, isHeld };
}

test("a clock and its timers stay paused until every pause has ended", async () => {
  const time = new TestClock();
  const clock = createCallClock(time);
  let rung = 0;
  clock.after(5, () => rung++);
  time.advance(2);
  const [one, two] = [clock.pause(), clock.pause()];
  const stopped = clock.now();
  time.advance(20);
  one();
  one(); // twice is once
  time.advance(20);
  assert.equal(clock.now(), stopped);
  two();
  time.advance(2);
  assert.deepEqual([clock.now() - stopped, rung], [2, 0]);
  time.advance(1);
  assert.deepEqual([clock.now() - stopped, rung], [3, 1]);
});

test("a cancelled timer does not fire, even after the clock resumes", async () => {
  const time = new TestClock();
  const clock = createCallClock(time);
  let rung = 0;
  const callOff = clock.after(1, () => rung++);
  const goOn = clock.pause();
  callOff();
  goOn();
  time.advance(10);
  assert.equal(rung, 0);
});

test("a call's clock pauses while a shared limit delays a request", async () => {
  const clock = guardedClock();
  const seen: string[] = [];
  const limit: LanguageModelMiddleware = {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      seen.push(`waits ${clock.holders()}`);
      return await doGenerate();
    },
  };
  let tries = 0;
  const model = {
    ...embeddedModel("watched", async () => {
      seen.push(`asked ${clock.holders()}`);
      if (++tries === 1) throw new Error("network: gone");
      return generated("Hello");
    }),
    provider: "elsewhere",
  };
  await callForReply(model, request, { within: [limit], clock, timers: WITHOUT_PAUSES });
  assert.deepEqual(seen, ["waits 1", "asked 0", "waits 1", "asked 0"]);
  assert.equal(clock.holders(), 0);
});

test("aborting a waiting request resumes the clock", async () => {
  const clock = guardedClock();
  const stuck: LanguageModelMiddleware = { specificationVersion: "v3", wrapGenerate: () => new Promise(() => {}) };
  const controller = new AbortController();
  const model = embeddedModel("never", async () => generated("Hello"));
  const call = callForReply(model, request, { within: [stuck], clock, signal: controller.signal });
  await clock.isHeld;
  controller.abort();
  await assert.rejects(call, { code: "aborted" });
  assert.equal(clock.holders(), 0);
});

test("a request aborted before it starts does not pause the clock", async () => {
  const clock = guardedClock();
  const controller = new AbortController();
  const givesUp: LanguageModelMiddleware = {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      controller.abort();
      return await doGenerate();
    },
  };
  const stuck: LanguageModelMiddleware = { specificationVersion: "v3", wrapGenerate: () => new Promise(() => {}) };
  const { outer } = waitingMiddleware(clock);
  const model = embeddedModel("never", async () => generated("Hello"));
  const options = { prompt: [], abortSignal: controller.signal };
  const call = wrapLanguageModel({ model, middleware: [givesUp, outer, stuck] }).doGenerate(options);
  await assert.rejects(Promise.resolve(call), { name: "AbortError" });
  assert.equal(clock.holders(), 0);
});
