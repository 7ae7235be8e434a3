import assert from "node:assert/strict";
import { test } from "node:test";
import { pairTransitions } from "../../../../../src/agent/analysis/diff/matching/mod.ts";
import { always, end, graphOf, llm, when, whenAll } from "../../_graphs.ts";

/** For each transition of the later version, the index of its counterpart in the earlier one. */
function pairsOf(before: readonly object[], after: readonly object[]) {
  const of = (transitions: readonly object[]) => graphOf({ a: { transitions }, b: end, c: end, d: end }).nodes.a;
  return pairTransitions(of(before)?.transitions ?? [], of(after)?.transitions ?? []);
}

const onTool = (target: string, value: string, outcome: string) => ({
  target_node_id: target,
  condition: { type: "tool_call", value, outcome },
});
const clause = (left: string, right: number) => ({ left, operator: ">", right });

test("transitions with the same target and condition are pairs, whatever else changed", () => {
  const about = (text: string) => ({ ...llm("b", "Done"), description: text });
  assert.deepEqual(pairsOf([llm("b", "Done"), llm("b", "Angry")], [llm("b", "Angry")]), [1]);
  assert.deepEqual(pairsOf([about("one"), llm("c", "Done")], [llm("c", "Done"), about("two")]), [1, 0]);
});

test("equal transitions are pairs in their order", () => {
  const same = llm("b", "Done");
  assert.deepEqual(pairsOf([same, same, same], [same, same]), [0, 1]);
  assert.deepEqual(pairsOf([same], [same, same]), [0, undefined]);
});

test("a transition to another target is found by its condition", () => {
  assert.deepEqual(pairsOf([llm("b", "Done"), llm("c", "Angry")], [llm("c", "Done")]), [0]);
});

test("a changed equation is found by its variables, in any order", () => {
  const before = [when("b", "age", ">", 1), when("b", "plan", "==", "gold")];
  assert.deepEqual(pairsOf(before, [when("b", "plan", "==", "silver"), when("b", "{{age}}", ">", 2)]), [1, 0]);
  const two = [whenAll("b", clause("x", 1)), whenAll("b", clause("x", 1), clause("y", 1))];
  assert.deepEqual(pairsOf(two, [whenAll("b", clause("y", 2), clause("x", 2)), whenAll("b", clause("x", 3))]), [1, 0]);
});

test("a changed tool outcome is found by its tool", () => {
  const before = [onTool("b", "book", "failed"), onTool("b", "find", "failed")];
  assert.deepEqual(pairsOf(before, [onTool("b", "find", "succeeded"), onTool("b", "book", "succeeded")]), [1, 0]);
});

test("a transition without condition is found by its target, or by the time at which it is taken", () => {
  const before = [always("b"), always("c", { timing: "else" })];
  assert.deepEqual(pairsOf(before, [always("d", { timing: "else" })]), [1]);
  assert.deepEqual(pairsOf(before, [always("c")]), [1]);
  assert.deepEqual(pairsOf(before, [always("d"), always("b", { timing: "skip_response" })]), [undefined, 0]);
  assert.deepEqual(pairsOf(before.toReversed(), [always("d")]), [1]);
});

test("a transition with a condition of another type is found by its target", () => {
  assert.deepEqual(pairsOf([always("c"), llm("b", "Done")], [when("b", "age", ">", 1)]), [1]);
  assert.deepEqual(pairsOf([llm("b", "Done")], [llm("c", "Angry")]), [undefined]);
});
