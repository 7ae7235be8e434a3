import assert from "node:assert/strict";
import { test } from "node:test";
import { eitherSignal, startRequestLimit, startTimeLimit, untilAborted } from "../../../src/base/values/mod.ts";
import { TestClock } from "../../test_clock.ts";

const never = () => new Promise<never>(() => {});
const stopped = new Error("stopped");

for (const [name, start] of [
  ["startTimeLimit()", startTimeLimit],
  ["startRequestLimit()", startRequestLimit],
] as const) {
  test(`${name} ends work that takes too long, and not before`, async () => {
    const clock = new TestClock();
    using limit = start(1_000, new AbortController().signal, clock);
    const work = limit.until(never());
    clock.advance(999);
    assert.deepEqual([limit.signal.aborted, limit.expired()], [false, false]);
    clock.advance(1);
    await assert.rejects(work, { name: "TimeoutError" });
    assert.deepEqual([limit.signal.aborted, limit.expired()], [true, true]);
  });

  test(`${name} ends work with the outer signal, which is no expiry`, async () => {
    const outer = new AbortController();
    using limit = start(1_000, outer.signal, new TestClock());
    const work = limit.until(never());
    outer.abort(stopped);
    await assert.rejects(work, stopped);
    assert.deepEqual([limit.signal.aborted, limit.signal.reason, limit.expired()], [true, stopped, false]);
    using late = start(1_000, outer.signal, new TestClock());
    assert.ok(late.signal.aborted);
    await assert.rejects(late.until(never()), stopped);
  });

  test(`${name} settles like the work, and does nothing once it is disposed of`, async () => {
    const clock = new TestClock();
    const outer = new AbortController();
    const limit = start(1_000, outer.signal, clock);
    assert.equal(await limit.until(Promise.resolve(7)), 7);
    limit[Symbol.dispose]();
    clock.advance(2_000);
    assert.deepEqual([limit.signal.aborted, limit.expired()], [false, false]);
    using other = start(1_000, outer.signal, clock);
    await assert.rejects(other.until(Promise.reject(stopped)), stopped);
  });
}

test("a time limit needs no outer signal", async () => {
  const clock = new TestClock();
  using limit = startTimeLimit(10, undefined, clock);
  const work = limit.until(never());
  clock.advance(10);
  await assert.rejects(work, { name: "TimeoutError" });
  using request = startRequestLimit(10, undefined, clock);
  const answer = request.until(never());
  clock.advance(10);
  await assert.rejects(answer, { name: "TimeoutError" });
});

test("eitherSignal() is aborted with either signal", () => {
  for (const index of [0, 1]) {
    const both = [new AbortController(), new AbortController()] as const;
    const signal = eitherSignal(both[0].signal, both[1].signal);
    assert.equal(signal.aborted, false);
    both[index as 0 | 1].abort(stopped);
    assert.equal(signal.reason, stopped);
  }
  const own = new AbortController();
  assert.equal(eitherSignal(undefined, own.signal), own.signal);
});

test("untilAborted() settles like the work, or rejects when the signal is aborted", async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
  assert.equal(await untilAborted(Promise.resolve(7), undefined), 7);
  await assert.rejects(untilAborted(Promise.reject(stopped), signal), stopped);
  await assert.rejects(untilAborted(never(), AbortSignal.abort(stopped)), stopped);
  const controller = new AbortController();
  const work = untilAborted(never(), controller.signal);
  controller.abort(stopped);
  await assert.rejects(work, stopped);
});
