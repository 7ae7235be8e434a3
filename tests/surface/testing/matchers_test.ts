import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEndsWith, assertExtracts, assertVisits, matchers } from "../../../api/testing.ts";
import { conversation, scripted } from "../../../mod.ts";
import { BILLING, DESK } from "../../run/runner/_fixtures.ts";
import { resultRecord } from "../reporters/_fixtures.ts";

/** A call about a bill, to its end. */
async function billingCall() {
  const call = conversation(DESK, {
    models: { agent: scripted(BILLING) },
    tools: { lookup_bill: () => ({ total: 30 }) },
  });
  await call.open();
  await call.hear("It is about my bill");
  await call.hear("Thanks");
  return call;
}

test("matchers check a conversation as a scenario's expectations do", async () => {
  const call = await billingCall();
  for (const [{ pass }, expected] of [
    [matchers.toVisit(call, "greet", "billing"), true],
    [matchers.toVisit(call, "billing", "greet"), false],
    [matchers.toExtract(call, { intent: "billing" }), true],
    [matchers.toExtract(call, { intent: "other" }), false],
    [matchers.toExtract(call, { account: undefined }), true],
    [matchers.toEndWith(call, "agent_ended"), true],
    [matchers.toEndWith(call, "max_turns"), false],
  ] as const)
    assert.equal(pass, expected);
});

test("a matcher's message has what was found and the transcript, also where it is negated", async () => {
  const call = await billingCall();
  const wrong = matchers.toVisit(call, "billing", "manager").message();
  assert.match(
    wrong,
    /^visits billing -> manager: visited greet -> ask -> billing -> goodbye; never reached manager\n\n/,
  );
  assert.match(wrong, /\[greet\]\n {2}agent {3}Hello, how can I help\?\n {2}caller {2}It is about my bill\n/);
  assert.match(matchers.toEndWith(call, "agent_ended").message(), /^ends agent_ended, where it should not: /);
});

test("matchers take the context that @std/expect passes, and results of a run", () => {
  const result = resultRecord({ nodesVisited: ["greet", "bye"] });
  assert.equal(matchers.toVisit({ value: result, isNot: false }, "greet", "bye").pass, true);
  assert.equal(matchers.toEndWith(resultRecord({ endReason: undefined }), "agent_ended").pass, false);
});

test("assertions throw an AssertionError with the transcript, and matchers a typed error for what is no call", async () => {
  const call = await billingCall();
  assertVisits(call, "ask", "billing");
  assertExtracts(call, { intent: "billing" });
  assertEndsWith(call, "agent_ended");
  for (const wrong of [
    () => assertVisits(call, "manager"),
    () => assertExtracts(call, { intent: "other" }),
    () => assertEndsWith(call, "caller_ended"),
  ])
    assert.throws(wrong, { name: "AssertionError", message: /\n\n\[greet\]\n/ });
  for (const nothing of [undefined, null, 1, {}, { transcript: [] }])
    assert.throws(() => matchers.toVisit(nothing, "a"), { code: "invalid-option" });
});

test("messages of assertions have no line that a CI runner obeys", async () => {
  const said = "Well\n::error::obey\n  ::add-mask::obey ##vso[task.complete]obey";
  const call = await billingCall();
  const { transcript, nodesVisited, toolsCalled } = call;
  const heard = { transcript, nodesVisited, toolsCalled, variables: { intent: said } };
  for (const check of [
    () => assertExtracts(heard, { intent: "x" }),
    () => assertVisits({ ...heard, endDetail: said }, "manager"),
    () => assertEndsWith({ ...heard, endReason: undefined, endDetail: said }, "agent_ended"),
  ])
    assert.throws(check, ({ message }: Error) => {
      assert.doesNotMatch(message, /^\s*::|##\w*\[/m);
      return true;
    });
});

test("assertions and matchers without anything to check throw a typed error, also under .not", async () => {
  const call = await billingCall();
  const nothing = undefined as never; // what JavaScript may pass
  for (const [path, check] of [
    ["visits", () => assertVisits(call)],
    ["visits", () => matchers.toVisit(call)],
    ["visits", () => matchers.toVisit({ value: call, isNot: true })],
    ["extracts", () => assertExtracts(call, {})],
    ["extracts", () => assertExtracts(call, nothing)],
    ["extracts", () => matchers.toExtract(call, {})],
    ["ends", () => assertEndsWith(call, nothing)],
    ["ends", () => matchers.toEndWith(call, nothing)],
    ["ends", () => matchers.toEndWith(call, null as never)],
  ] as const) {
    const wrong = { code: "invalid-option", path: [path], message: /: there is nothing to check$/ };
    assert.throws(check, wrong, `${path}: ${check}`);
  }
  for (const blank of [
    () => matchers.toVisit(call, " "),
    () => matchers.toVisit(call, "greet", ""),
    () => matchers.toExtract(call, { "": undefined }),
  ])
    assert.throws(blank, { code: "invalid-scenario", message: /it is blank/ });
});
