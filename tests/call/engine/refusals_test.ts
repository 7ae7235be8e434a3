import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, createCallbackGuard, isTime } from "../../../src/call/engine/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { callOn, pick, to } from "./calls.ts";

test("a call that reaches a node that does not exist fails with the name that was meant", async () => {
  const graph = parseGraph({ nodes: { a: { transitions: [to("desk", "Go")] }, desk: {} }, entry_node_id: "a" });
  for (const [target, hint] of [
    ["dsk", 'Did you mean "desk"?'],
    ["elsewhere", "Add the node, or change the transition to it"],
  ] as const) {
    const [a, desk] = Object.values(graph.nodes);
    assert.ok(a && desk);
    const transitions = a.transitions.map((each) => ({ ...each, target_node_id: target }));
    const call = conversation(
      { ...graph, nodes: { a: { ...a, transitions }, desk } },
      { models: { agent: scripted({ transition: [pick(target)] }) } },
    );
    await call.open();
    const message = `Cannot continue the call: node "${target}" does not exist`;
    await assert.rejects(call.hear("Go"), { code: "unknown-target", path: ["nodes", target], message, hint });
    assert.deepEqual([call.endReason, call.endDetail], ["failed", message]);
  }
});

test("a call says what it cannot do", async () => {
  const busy = { code: "call-busy", hint: "Await open() or hear() before the next turn" };
  const { call } = callOn({ a: { state_prompt: "A" } });
  await assert.rejects(call.hear("Hi"), {
    code: "call-not-open",
    message: "Cannot hear the caller: the call is not open",
  });
  const opening = call.open();
  await assert.rejects(call.hear("Hi"), { ...busy, message: "Cannot take a turn: a turn is already running" });
  assert.throws(() => call.snapshot(), { code: "call-busy", message: "Cannot take a snapshot: the call is in a turn" });
  await opening;
  await assert.rejects(call.open(), { code: "call-ended", message: "Cannot open the call: it was opened before" });
  const words = { code: "invalid-option", hint: "Pass a string" };
  const hear: unknown = Reflect.apply(call.hear, call, [5]);
  await assert.rejects(Promise.resolve(hear), { ...words, message: "Cannot hear the caller: the text is 5" });
  assert.throws(() => Reflect.apply(call.steer, call, [null]), {
    ...words,
    message: "Cannot steer the call: the text is null",
  });
  call.end("caller_ended", "bored");
  call.end("failed", "too late");
  assert.deepEqual([call.ended, call.endReason, call.endDetail], [true, "caller_ended", "bored"]);
  const ended = { code: "call-ended", hint: "Create a new conversation() for each call" };
  await assert.rejects(call.hear("Hi"), { ...ended, message: "Cannot take a turn: the call has ended" });
});

test("a clock that returns no date, and a listener that throws, are errors that name them", async () => {
  const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a" });
  const openWith = async (options: object) => {
    const all = { models: { agent: scripted({}) }, ...options };
    await conversation(graph, all).open();
  };
  for (const [time, shown] of [
    [5, "5"],
    [new Date(Number.NaN), "an object"],
  ] as const)
    await assert.rejects(openWith({ clock: { now: () => time } }), {
      code: "callback-return",
      path: ["clock", "now"],
      message: `Cannot continue the call: now() returned ${shown}`,
    });
  const onMessage = () => {
    throw new Error("disk full");
  };
  await assert.rejects(openWith({ listeners: { onMessage } }), {
    code: "callback-failed",
    path: ["onMessage"],
    message: "Cannot notify onMessage of the turn: it failed: disk full",
    hint: "Fix onMessage; the turn is over and the call can continue",
  });
  assert.deepEqual(
    [isTime(new Date(0)), isTime(new Date(Number.NaN)), isTime(0), isTime(null)],
    [true, false, false, false],
  );
});

/** An object with a value named `then`, as a promise has it. */
const withThen = (then: unknown, name = "then"): object => ({ [name]: then });

test("a guard keeps the first failure of callbacks, and waits for the promises that they return", async () => {
  const guard = createCallbackGuard();
  const given: unknown[] = [];
  let finish = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  guard.wrap("onMessage", (...args) => given.push(...args))(1, 2);
  for (const value of [null, 5, {}, withThen(5)]) guard.wrap("onMessage", () => value)();
  await guard.settle(0);
  assert.deepEqual([given, guard.takeFailure()], [[1, 2], undefined]);

  guard.wrap("onTool", () => slow)();
  const settled = guard.settle(600_000);
  finish();
  await settled;
  assert.equal(guard.takeFailure(), undefined);

  const error = new Error("down");
  guard.wrap("onTool", () => Promise.reject(error))();
  guard.wrap("onToken", () => withThen((_: unknown, fail: (error: unknown) => void) => fail(new Error("later"))))();
  await guard.settle(600_000);
  assert.deepEqual([guard.takeFailure(), guard.takeFailure()], [{ name: "onTool", error }, undefined]);
  guard.fail("onRetry", error);
  assert.deepEqual(guard.takeFailure(), { name: "onRetry", error });

  guard.wrap("onResult", () => new Promise(() => {}))();
  await guard.settle(0);
  assert.deepEqual(guard.takeFailure(), {
    name: "onResult",
    error: new Error("its promise did not settle within 0 ms"),
  });
});
