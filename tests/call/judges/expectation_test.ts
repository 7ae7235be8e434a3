import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { checkExpectations } from "../../../src/call/judges/mod.ts";
import { finishedCall, toolCall } from "./_fixtures.ts";

test("checkExpectations() compares variables as text", () => {
  const extracts = { intent: "billing", amount: 30 };
  assert.ok(checkExpectations({ extracts, calls: [] }, finishedCall()).every(({ passed }) => passed));
  const checks = checkExpectations(
    { extracts: { intent: "Billing", toString: "x", city: null, amount: null }, calls: [] },
    finishedCall(),
  );
  assert.deepEqual(checks, [
    { kind: "extracts", expected: "intent == Billing", passed: false, reason: 'intent is "billing"' },
    { kind: "extracts", expected: "toString == x", passed: false, reason: "toString was never set" },
    { kind: "extracts", expected: "city not set", passed: true, reason: "city was never set" },
    { kind: "extracts", expected: "amount not set", passed: false, reason: 'amount is "30"' },
  ]);
});

test("checkExpectations() reads variables with names that every object inherits", () => {
  const [check] = checkExpectations({ extracts: { constructor: "x" }, calls: [] }, finishedCall());
  assert.equal(check?.passed, true);
});

const called = finishedCall({
  toolsCalled: [
    toolCall("lookup", { id: 7, customer: { name: "Jo", age: 40 }, tags: ["a", "b"] }),
    toolCall("refund", {}),
  ],
});

test("checkExpectations() expects tool calls with at least the given arguments", () => {
  const fitting = [{}, { id: 7 }, { id: "7" }, { customer: { name: "Jo" } }, { tags: ["a", "b"] }];
  for (const args of fitting) {
    const [check] = checkExpectations({ extracts: {}, calls: [{ tool: "lookup", args }] }, called);
    assert.equal(check?.passed, true, JSON.stringify(args));
  }
  const unfitting: readonly JsonObject[] = [
    { id: 8 },
    { toString: "x" },
    { customer: { name: "Al" } },
    { tags: ["a"] },
    { customer: "Jo" },
    { id: null },
    JSON.parse('{"__proto__":{}}'),
  ];
  for (const args of unfitting) {
    const [check] = checkExpectations({ extracts: {}, calls: [{ tool: "lookup", args }] }, called);
    assert.equal(check?.passed, false, JSON.stringify(args));
    assert.match(check?.reason ?? "", /^called lookup\(\{"id":7/);
  }
});

test("checkExpectations() reports the calls that were made instead", () => {
  const calls = [{ tool: "cancel", args: {} }];
  assert.equal(
    checkExpectations({ extracts: {}, calls }, called)[0]?.reason,
    "cancel was never called; called lookup, refund",
  );
  assert.equal(
    checkExpectations({ extracts: {}, calls }, finishedCall())[0]?.reason,
    "cancel was never called; no tool was",
  );
});

test("checkExpectations() expects as many calls as there are equal expectations", () => {
  const calls = [
    { tool: "refund", args: {} },
    { tool: "refund", args: {} },
  ];
  const checks = checkExpectations({ extracts: {}, calls }, called);
  assert.deepEqual(
    checks.map(({ passed }) => passed),
    [true, false],
  );
  assert.match(checks[1]?.reason ?? "", /^called only 1 of 2 times/);
});
