import assert from "node:assert/strict";
import { test } from "node:test";
import { type Goal, pathFinder } from "../../../src/analysis/mod.ts";
import { parseGraph } from "../../../src/graph/mod.ts";
import { randomCall } from "../../engine/random_calls.ts";
import { fc } from "../../properties.ts";
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
