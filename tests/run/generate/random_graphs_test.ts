import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { importAgent } from "../../../platforms/mod.ts";
import { graphTransitionKey, graphTransitions, keysOfVisits } from "../../../src/agent/analysis/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { generateScenarios } from "../../../src/run/generate/mod.ts";
import { randomCall } from "../../call/engine/random_calls.ts";
import { ReferenceCall } from "../../call/engine/reference.ts";
import { fc } from "../../properties.ts";
import { givenNames } from "./given_names.ts";

const CORPUS = new URL("../../../../shared/corpus/retell/", import.meta.url);
const GRAPHS = 10;
const PLAYS = 60;
const TURNS = 6;
const FLOWS = 2;

/** Nodes that follow each other in calls whose model, tools and variables are random. */
function* randomSteps(graph: AgentGraph, seed: number): Generator<readonly [string, string]> {
  const names = givenNames(graph);
  for (let play = 0; play < PLAYS; play++) {
    const { variables, mocks, oracle } = randomCall(seed * 1_000 + play);
    const given = Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
    const call = new ReferenceCall(graph, given, mocks, oracle);
    call.open();
    for (let turn = 0; turn < TURNS && !call.ended; turn++) call.hear();
    for (const [index, to] of call.visited.slice(1).entries()) yield [call.visited[index] ?? "", to];
  }
}

test("generated scenarios reach every transition of random graphs that is not proved unreachable, and no call takes such a one", async () => {
  let after = 0;
  for (let seed = 1; seed <= fc.sampled(GRAPHS); seed++) {
    const graph = parseGraph(randomCall(seed).document);
    const { coverage, unreachable, unshown } = await generateScenarios(graph);
    assert.deepEqual(unshown, [], `seed ${seed}`);
    assert.equal(coverage.after, coverage.transitions - unreachable.length, `seed ${seed}`);
    after += coverage.after;

    const closed = new Set(unreachable.map(({ transition }) => graphTransitionKey(transition)));
    const all = graphTransitions(graph).map(graphTransitionKey);
    for (const step of randomSteps(graph, seed)) {
      const keys = keysOfVisits(graph, step);
      const isPossible = all.some((key) => keys.has(key) && !closed.has(key)) || step[0] === step[1] || keys.size === 0;
      assert.ok(isPossible, `seed ${seed}: a call takes ${step.join(" -> ")}`);
    }
  }
  assert.ok(after > 0);
});

test("generated scenarios reach every transition of published flows that a call can take", async (t) => {
  if (!existsSync(CORPUS)) {
    t.skip("the flows are not there");
    return;
  }
  const files = readdirSync(CORPUS).filter((name) => name.endsWith(".json"));
  for (const name of files.slice(0, fc.sampled(FLOWS))) {
    const { graph } = importAgent(readFileSync(new URL(name, CORPUS), "utf8"));
    const { coverage, unreachable, unshown } = await generateScenarios(graph);
    assert.deepEqual(unshown, [], name);
    assert.equal(coverage.after, coverage.transitions - unreachable.length, name);
  }
});
