import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedCaller } from "../../../src/call/callers/mod.ts";
import { createCallClock } from "../../../src/call/models/mod.ts";
import { TestClock } from "../../test_clock.ts";

/** Wraps a caller whose `next()` is this function, with a limit of 1 s on a clock of the test. */
function checked(next: (history: unknown, options: { readonly signal?: AbortSignal }) => unknown) {
  const clock = new TestClock();
  const caller = checkedCaller(
    { next: async (...given: Parameters<typeof next>) => next(...given) },
    {
      limitMs: 1_000,
      clock: createCallClock(clock),
    },
  );
  return { caller, clock };
}

test("a custom caller speaks, hangs up, or both", async () => {
  const moves = [
    { say: "Hello" },
    { say: "" },
    { hangUp: "caller_ended" },
    { hangUp: "caller_exhausted" },
    { say: "Bye", hangUp: "caller_ended" },
  ];
  for (const move of moves) assert.deepEqual(await checked(() => ({ ...move, note: 1 })).caller.next([]), move);
});

test("a custom caller that answers something else is refused, with what it answered", async () => {
  const wrong: readonly (readonly [move: unknown, words: RegExp])[] = [
    [undefined, /returned undefined$/],
    ["Hello", /returned "Hello"$/],
    [{ say: 7 }, /returned 7 to say$/],
    [{ say: null }, /returned null to say$/],
    [{ hangUp: "agent_ended" }, /hung up with "agent_ended"$/],
    [{ hangUp: true }, /hung up with true$/],
    [{}, /neither said anything nor hung up$/],
  ];
  for (const [move, message] of wrong)
    await assert.rejects(async () => await checked(() => move).caller.next([]), {
      ...{ name: "ScenarioError", code: "callback-return", path: ["next"] },
      message,
    });
});

test("what is no caller is refused when the call starts", () => {
  const options = { limitMs: 1_000, clock: createCallClock(new TestClock()) };
  for (const [given, state] of [
    [{}, "{}"],
    [{ next: "Hello" }, "object"],
    ["Hello", '"Hello"'],
    [Promise.resolve({ next: () => {} }), "a promise"],
  ] as const)
    assert.throws(() => checkedCaller(given, options), { code: "callback-return", path: ["createCaller"] }, state);
});

test("a custom caller gets the history and a signal, which the run's signal or the time limit aborts", async () => {
  const seen: unknown[] = [];
  const { caller } = checked((history, { signal }) => {
    seen.push(history, signal?.aborted);
    return { say: "Hello" };
  });
  const history = [{ role: "assistant" as const, content: "Hi" }];
  assert.deepEqual(await caller.next(history), { say: "Hello" });
  assert.deepEqual(seen, [history, false]);

  const run = new AbortController();
  const waiting = checked(() => new Promise(() => {})).caller.next([], { signal: run.signal });
  run.abort(new Error("stopped"));
  await assert.rejects(waiting, { message: "stopped" });

  const slow = checked(() => new Promise(() => {}));
  const late = slow.caller.next([]);
  slow.clock.advance(1_000);
  await assert.rejects(late, { code: "callback-failed", path: ["next"], message: /did not answer within 1000 ms$/ });
});

test("an error of a custom caller is thrown as it is", async () => {
  const error = new Error("no line");
  await assert.rejects(
    async () =>
      await checked(() => {
        throw error;
      }).caller.next([]),
    error,
  );
});
