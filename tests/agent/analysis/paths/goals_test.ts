import assert from "node:assert/strict";
import { test } from "node:test";
import { findPath, type Goal } from "../../../../src/agent/analysis/mod.ts";
import { always, end, extract, graphOf, llm, logic, onTool, says, when } from "../_graphs.ts";
import { play, visitedOn } from "./_play.ts";

const back = (id: string, condition: object) => ({ id, condition });
const GRAPH = graphOf({
  ask: says("Ask.", llm("note", "Has a plan"), when("vip", "level", ">", 9)),
  note: extract(
    [{ name: "plan", type: "enum", choices: ["gold", "free"] }],
    when("pay", "plan", "==", "gold"),
    when("vip", "plan", "==", "silver"),
    always("bye"),
  ),
  pay: { node_type: "transfer", transfer_to: "+15550100", transitions: [onTool("sorry", "failed")] },
  sorry: says("Say sorry.", always("bye", { timing: "skip_response" })),
  vip: says("Greet kindly.", llm("bye", "Done")),
  help: {
    ...says("Help."),
    global_node_setting: {
      condition: "Is lost",
      go_back_conditions: [
        back("on", { type: "llm_prompt", value: "Goes on" }),
        back("off", { type: "equation", equations: [{ left: "mood", operator: "==", right: "bad" }] }),
      ],
    },
  },
  loop: logic(always("loop")),
  bye: end,
});
const clause = (index: number, isTrue: boolean): Goal => ({
  evaluates: { node: "note", of: "transition", index, clause: 0, isTrue },
});

test("findPath() finds a shortest call to each kind of goal, and the engine takes it", async () => {
  const rows: readonly (readonly [Goal, string])[] = [
    [{ node: "ask" }, "ask"],
    [{ node: "pay" }, "ask note pay"],
    [{ node: "sorry" }, "ask note pay sorry bye"],
    [{ node: "vip" }, "ask vip"],
    [{ from: "ask", transition: 0 }, "ask note bye"],
    [{ from: "ask", transition: 1 }, "ask vip"],
    [{ from: "note", transition: 0 }, "ask note pay"],
    [{ from: "note", transition: 2 }, "ask note bye"],
    [{ from: "pay", transition: 0 }, "ask note pay sorry bye"],
    [{ global: "help" }, "ask help"],
    [{ goBackFrom: "help" }, "ask help ask"],
    [{ goBackFrom: "help", condition: 0 }, "ask help ask"],
    [{ goBackFrom: "help", condition: 1 }, "ask help ask"],
    [clause(0, true), "ask note"],
    [clause(1, false), "ask note"],
  ];
  for (const [goal, visited] of rows) {
    const answer = findPath(GRAPH, goal);
    assert.equal(answer.kind, "found", JSON.stringify(goal));
    if (answer.kind !== "found") continue;
    const path = visitedOn(answer.path);
    assert.equal(path.join(" "), visited, JSON.stringify(goal));
    // a path to an equation ends where it is evaluated; the call goes on from there
    assert.deepEqual((await play(GRAPH, answer.path)).nodesVisited.slice(0, path.length), path);
  }
});

test("findPath() proves that no call reaches a goal", () => {
  const goals: readonly Goal[] = [
    { node: "loop" },
    { from: "loop", transition: 0 },
    { from: "note", transition: 1 },
    { global: "vip" },
    { goBackFrom: "vip" },
    clause(1, true),
  ];
  for (const goal of goals) assert.equal(findPath(GRAPH, goal).kind, "none", JSON.stringify(goal));
});
