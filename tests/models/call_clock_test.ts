import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { generated } from "../../src/models/embedded.ts";
import { waitingMiddleware } from "../../src/models/middleware/waiting.ts";
import { type CallClock, callForReply, createCallClock } from "../../src/models/mod.ts";
import { embeddedModel } from "../../src/models/model.ts";

const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };

/** A clock that tells how many hold it. */
function heldClock(): CallClock & { readonly holders: () => number } {
  let holders = 0;
  const pause = () => {
    holders += 1;
    let held = true;
    return () => {
      if (held) holders -= 1;
      held = false;
    };
  };
  return { ...createCallClock(), pause, holders: () => holders };
}

test("a clock stands still until the last who holds it lets go, and its alarms with it", async () => {
  const clock = createCallClock();
  let rung = false;
  const alarm = new Promise<void>((resolve) => {
    clock.after(5, () => {
      rung = true;
      resolve();
    });
  });
  const [one, two] = [clock.pause(), clock.pause()];
  const stopped = clock.now();
  await sleep(20);
  one();
  one(); // twice is once
  await sleep(20);
  assert.equal(clock.now(), stopped);
  assert.equal(rung, false);
  two();
  await alarm;
  assert.ok(clock.now() >= stopped);
});

test("an alarm that was called off does not ring, also when the clock goes on", async () => {
  const clock = createCallClock();
  let rung = 0;
  const callOff = clock.after(1, () => rung++);
  const goOn = clock.pause();
  callOff();
  goOn();
  await new Promise<void>((resolve) => clock.after(10, resolve));
  assert.equal(rung, 0);
});

test("a call's clock stands still while a shared limit holds a request up, and goes on with the request", async () => {
  const clock = heldClock();
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
  await callForReply(model, request, { within: [limit], clock, retry: { minDelayMs: 1 } });
  assert.deepEqual(seen, ["waits 1", "asked 0", "waits 1", "asked 0"]);
  assert.equal(clock.holders(), 0);
});

test("a request that is given up while it waits lets the clock go on", async () => {
  const clock = heldClock();
  const stuck: LanguageModelMiddleware = { specificationVersion: "v3", wrapGenerate: () => new Promise(() => {}) };
  const controller = new AbortController();
  const model = embeddedModel("never", async () => generated("Hello"));
  const call = callForReply(model, request, { within: [stuck], clock, signal: controller.signal });
  while (clock.holders() === 0) await sleep(1);
  controller.abort();
  await assert.rejects(call, { code: "aborted" });
  assert.equal(clock.holders(), 0);
});

test("a request that is given up before it is made does not stop the clock", async () => {
  const clock = heldClock();
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
