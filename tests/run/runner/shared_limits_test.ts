import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedCaller } from "../../../src/call/callers/mod.ts";
import { createCallClock, scripted } from "../../../src/call/models/mod.ts";
import { runCall } from "../../../src/run/runner/call/run_call.ts";
import { createLimits } from "../../../src/run/runner/plan/prepare_run.ts";
import { TestClock } from "../../test_clock.ts";
import { CHAT } from "./_fixtures.ts";

const onTurn = () => {};

/** A model that answers when it is told to. */
function gated() {
  let open = () => {};
  let asked = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const model = scripted({});
  return {
    open,
    isAsked,
    model: {
      ...model,
      doGenerate: async (options: Parameters<typeof model.doGenerate>[0]) => {
        asked();
        await gate;
        return await model.doGenerate(options);
      },
    },
  };
}

test("waiting for another call's request counts neither as turn time nor as call time", async () => {
  const within = [createLimits({ maxParallel: 1 }, undefined)];
  const first = gated();
  const line = { says: createScriptedCaller(["Hi"]) };
  const holding = runCall(CHAT, {
    agent: first.model,
    caller: line.says,
    clock: createCallClock(),
    options: { requests: { within }, limits: { turnTimeoutMs: 60_000 } },
    onTurn,
  });
  await first.isAsked;

  const time = new TestClock();
  const counted = createCallClock(time);
  let hold = () => {};
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const clock = {
    ...counted,
    pause: () => {
      hold();
      return counted.pause();
    },
  };
  const waiting = runCall(CHAT, {
    agent: scripted({}),
    caller: createScriptedCaller(["Hi"]),
    clock,
    options: {
      requests: { within },
      limits: { turnTimeoutMs: 2_000, budget: { call: { wallMs: 2_000 }, turn: { wallMs: 2_000 } } },
    },
    onTurn,
  });
  await isHeld;
  const paused = clock.now();
  time.advance(2_100); // longer than a turn may take
  assert.equal(clock.now(), paused);
  first.open();
  const [one, two] = await Promise.all([holding, waiting]);
  assert.equal(one.endReason, "caller_exhausted");
  assert.equal(two.endReason, "caller_exhausted");
});
