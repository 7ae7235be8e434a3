import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFlow } from "../../../src/call/judges/mod.ts";
import { finishedCall } from "./_fixtures.ts";

const nothing = { visits: [], avoids: [] };
const PATH = "greet -> ask -> billing -> ask -> goodbye";

test("checkFlow() expects visits in order, possibly with others in between", () => {
  for (const visits of [
    ["greet"],
    ["greet", "goodbye"],
    ["ask", "ask"],
    ["greet", "ask", "billing", "ask", "goodbye"],
  ]) {
    const [check] = checkFlow({ ...nothing, visits }, finishedCall());
    assert.deepEqual(check, { kind: "visits", expected: visits.join(" -> "), passed: true, reason: `visited ${PATH}` });
  }
});

test("checkFlow() names the node that was not reached, or not in its place", () => {
  const reasons = [
    ["greet", "technical"],
    ["goodbye", "ask"],
    ["ask", "ask", "ask"],
  ].map((visits) => {
    const [check] = checkFlow({ ...nothing, visits }, finishedCall());
    assert.equal(check?.passed, false);
    return check?.reason;
  });
  assert.deepEqual(reasons, [
    `visited ${PATH}; never reached technical`,
    `visited ${PATH}; never reached ask after goodbye`,
    `visited ${PATH}; never reached ask after ask`,
  ]);
});

test("checkFlow() fails visits to avoided nodes, with the path to them", () => {
  const checks = checkFlow({ ...nothing, avoids: ["billing", "manager"] }, finishedCall());
  assert.deepEqual(checks, [
    { kind: "avoids", expected: "billing", passed: false, reason: "visited greet -> ask -> billing" },
    { kind: "avoids", expected: "manager", passed: true, reason: `visited ${PATH}` },
  ]);
});

test("checkFlow() compares the end reason", () => {
  const call = finishedCall({ endReason: "agent_ended" });
  assert.equal(checkFlow({ ...nothing, ends: "agent_ended" }, call)[0]?.passed, true);
  const [check] = checkFlow({ ...nothing, ends: "agent_transferred" }, call);
  assert.equal(check?.passed, false);
  assert.equal(check?.reason, "the call ended with agent_ended");
});

test("checkFlow() fails a call that reached a limit, unless that is expected", () => {
  for (const endReason of ["hop_limit", "budget_exceeded", "turn_timeout"] as const) {
    const call = finishedCall({ endReason, endDetail: "too much" });
    const [check] = checkFlow(nothing, call);
    assert.equal(check?.passed, false);
    assert.equal(check?.reason, `the call ended with ${endReason}: too much`);
    assert.deepEqual(
      checkFlow({ ...nothing, ends: endReason }, call).map(({ passed }) => passed),
      [true],
    );
  }
});

test("checkFlow() ignores other end reasons when none is expected", () => {
  for (const endReason of ["agent_ended", "caller_ended", "caller_exhausted", "max_turns"] as const) {
    assert.deepEqual(checkFlow(nothing, finishedCall({ endReason })), []);
  }
});
