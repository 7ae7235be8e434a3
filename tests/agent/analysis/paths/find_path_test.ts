import assert from "node:assert/strict";
import { test } from "node:test";
import { findPath, type Goal, pathFinder } from "../../../../src/agent/analysis/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { randomCall } from "../../../call/engine/random_calls.ts";
import { fc } from "../../../properties.ts";
import { play, visitedOn } from "./_play.ts";

test("findPath(): the engine takes each path that is found, to every node and transition of random graphs", async () => {
  let found = 0;
  for (let seed = 1; seed <= fc.sampled(12); seed++) {
    const graph = parseGraph(randomCall(seed).document);
    const finder = pathFinder(graph);
    const goals: Goal[] = Object.entries(graph.nodes).flatMap(([node, { transitions }]) => [
      { node },
      { goBackFrom: node },
      ...transitions.map((_, transition) => ({ from: node, transition })),
    ]);
    for (const goal of goals) {
      const answer = finder.find(goal);
      if (answer.kind !== "found") continue;
      found++;
      const call = await play(graph, answer.path);
      assert.deepEqual(call.nodesVisited, visitedOn(answer.path), `seed ${seed}: ${JSON.stringify(goal)}`);
    }
  }
  assert.ok(found >= fc.sampled(12), `${found} paths`);
});

const equation = (...clauses: readonly (readonly [string, string, string])[]) => ({
  type: "equation",
  value: "",
  equations: clauses.map(([left, operator, right]) => ({ left, operator, right })),
});

/** A call that is routed twice by equations that compare variables with each other. */
const compared = (first: ReturnType<typeof equation>, second: ReturnType<typeof equation>) =>
  parseGraph({
    entry_node_id: "hear",
    nodes: {
      hear: {
        node_type: "conversation",
        state_prompt: "Ask.",
        transitions: [{ target_node_id: "route", condition: first }],
      },
      route: { node_type: "logic", transitions: [{ target_node_id: "bye", condition: second }] },
      bye: { node_type: "end" },
    },
  });

test("findPath() gives variables that are compared with each other values that lead the call along the path", async () => {
  const graph = compared(
    equation(["balance", ">", "{{limit}}"], ["limit", ">=", "100"]),
    equation(["plan", "contains", "{{code}}"], ["code", "!=", "plan"]),
  );
  const answer = findPath(graph, { node: "bye" });
  assert.equal(answer.kind, "found");
  if (answer.kind !== "found") return;
  const call = await play(graph, answer.path);
  assert.deepEqual(call.nodesVisited, ["hear", "route", "bye"]);
});

test("findPath() proves that equations exclude each other although they compare variables with each other", () => {
  const excluding = [
    [equation(["a", ">", "{{b}}"]), equation(["b", ">=", "{{a}}"])],
    [equation(["a", ">", "{{b}}"], ["b", ">", "{{c}}"]), equation(["c", ">", "{{a}}"])],
    [equation(["a", "==", "{{b}}"]), equation(["a", "!=", "{{b}}"], ["b", "exists", ""])],
    [equation(["a", "contains", "{{b}}"]), equation(["a", "not_contains", "{{b}}"])],
    [equation(["a", "not_contains", "{{a}}"]), equation(["a", "contains", "{{b}}"], ["b", "exists", ""])],
    [equation(["a", ">", "b"]), equation(["b", "exists", ""])],
    [equation(["a", "==", "b"]), equation(["a", "!=", "b"])],
  ] as const;
  for (const [first, second] of excluding) {
    const { kind } = findPath(compared(first, second), { node: "bye" });
    assert.equal(kind, "none", JSON.stringify([first.equations, second.equations]));
  }
});
