import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGraph } from "../../../../src/agent/analysis/mod.ts";
import { always, end, extract, graphOf, llm, logic, onTool, says, when } from "../_graphs.ts";

/** The findings of these codes for a silent node "s", which calls pass. */
function gapsOf(s: object, codes: readonly string[] = ["no-else", "unhandled-choice"]) {
  const graph = graphOf({
    a: says("Ask for the plan.", llm("s", "Done")),
    s,
    b: says("Help.", llm("bye", "x")),
    bye: end,
  });
  return checkGraph(graph).filter(({ code }) => codes.includes(code));
}

const call = (...transitions: readonly object[]) => ({
  node_type: "function",
  tools: [{ name: "find", description: "Finds" }],
  transitions,
});
const PLAN = { name: "plan", type: "enum", choices: ["gold", "silver", "free"] };
const AGREED = { name: "agreed", type: "boolean" };

test("checkGraph() finds silent nodes that some calls cannot leave", () => {
  const rows = [
    [logic(when("b", "x", "==", "1")), true],
    [logic(when("b", "x", "==", "1"), always("bye")), false],
    [logic(when("b", "x", "==", "1"), when("bye", "x", "!=", "1")), true],
    [logic(when("b", "x", "exists"), when("bye", "x", "not_exist")), false],
    [logic(llm("b", "Angry")), true],
    [extract([PLAN], llm("b", "Angry"), when("b", "plan", "==", "gold")), false],
    [extract([PLAN], when("b", "x", "==", "1")), true],
    [call(onTool("b", "succeeded")), true],
    [call(onTool("b", "failed")), true],
    [call(onTool("b", "succeeded"), onTool("bye", "failed")), false],
    [call(onTool("b")), false],
    [call(when("b", "x", "==", "1")), true],
    [call(when("b", "x", "==", "1"), onTool("bye", "succeeded")), true],
    [call(when("b", "x", "==", "1"), onTool("b", "succeeded"), onTool("bye", "failed")), false],
    [says("Talk.", when("b", "x", "==", "1")), false],
  ] as const;
  for (const [node, isOpen] of rows)
    assert.deepEqual(
      gapsOf(node).map(({ code }) => code),
      isOpen ? ["no-else"] : [],
      JSON.stringify(node),
    );
});

test("checkGraph() says why a call stays at a silent node", () => {
  const rows = [
    [logic(when("b", "x", "exists")), 'logic node "s" has no always transition: no equation holds with x not set'],
    [call(onTool("b", "failed")), 'function node "s" has no always transition, and none for one outcome of its tool'],
    [logic(llm("b", "Angry")), 'logic node "s" has no always transition'],
  ] as const;
  for (const [node, message] of rows) assert.equal(gapsOf(node)[0]?.message, message);
  assert.deepEqual(gapsOf(logic(when("b", "x", "not_exist"), when("b", "x", ">", 5)))[0]?.witness?.variables, {
    x: "5",
  });
});

test("checkGraph() names the choices for which a node has no transition, if it has one for others", () => {
  const unhandled = (...transitions: readonly object[]) => {
    const [finding] = gapsOf(extract([PLAN, AGREED], ...transitions));
    return finding?.code === "unhandled-choice" ? finding.message : finding?.code;
  };
  const when1 = (choice: string, operator = "==") => when("b", "plan", operator, choice);
  const rows = [
    [[when1("gold")], 'node "s" has no transition for plan = "silver", "free"'],
    [[when1("gold"), when1("silver")], 'node "s" has no transition for plan = "free"'],
    [[when1("gold"), when1("gold", "!=")], "no-else"],
    [[when1("gold", "!=")], "no-else"],
    [[when("b", "agreed", "==", "true")], "no-else"],
    [
      [when1("gold"), when("b", "agreed", "==", "true"), when("bye", "agreed", "==", "false")],
      'node "s" has no transition for plan = "silver", "free"',
    ],
    [[when1("gold"), always("b")], undefined],
  ] as const;
  for (const [transitions, expected] of rows) assert.equal(unhandled(...transitions), expected);
});
