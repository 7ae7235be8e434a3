import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { coverage, playPath, type UncoveredItem, uncovered } from "../../../../src/agent/analysis/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import { conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { randomCall } from "../../../call/engine/random_calls.ts";
import { ReferenceCall } from "../../../call/engine/reference.ts";
import { fc } from "../../../properties.ts";
import { givenNames } from "../../../run/generate/given_names.ts";
import { noted } from "./_noted.ts";

const GRAPHS = 12;
const PLAYS = 40;
const TURNS = 6;

/** Everything that a call on the path exercises. */
async function coveredBy(graph: AgentGraph, { path }: Extract<UncoveredItem, { kind: "found" }>) {
  const { scenario, answers } = playPath(graph, path);
  const { caller, ...agent } = answers;
  const call = conversation(graph, {
    models: { agent: scripted(agent) },
    variables: scenario.dynamic_variables,
    mocks: scenario.tool_mocks,
  });
  await call.open();
  const lines = path.steps.filter(({ kind }) => kind === "hear").length;
  for (const answer of caller.slice(0, lines))
    if (!call.ended && isRecord(answer)) await call.hear(String(answer.message));
  const { items } = coverage(graph, [{ nodesVisited: call.nodesVisited, transcript: call.transcript }]);
  return new Set(items.filter(({ calls }) => calls > 0).map(noted));
}

/** What calls with random models, tools and variables exercise. */
function exercisedAtRandom(graph: AgentGraph, seed: number): ReadonlySet<string> {
  const names = givenNames(graph);
  const all = new Set<string>();
  for (let play = 0; play < PLAYS; play++) {
    const { variables, mocks, oracle } = randomCall(seed * 1_000 + play);
    const given = Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
    const call = new ReferenceCall(graph, given, mocks, oracle);
    call.open();
    for (let turn = 0; turn < TURNS && !call.ended; turn++) call.hear();
    for (const key of call.exercised) all.add(key);
  }
  return all;
}

test("uncovered(): a call on each path covers its item, and no random call covers what is proved unreachable", async () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= Math.max(4, fc.sampled(GRAPHS)); seed++) {
    const graph = parseGraph(randomCall(seed).document);
    const open = uncovered(graph, coverage(graph, []));
    const atRandom = exercisedAtRandom(graph, seed);
    for (const each of open) {
      const { item } = each;
      kinds.add(`${each.kind} ${item.kind}`);
      if (each.kind === "found")
        assert.ok((await coveredBy(graph, each)).has(noted(item)), `seed ${seed}: ${item.name}`);
      if (each.kind === "none") assert.ok(!atRandom.has(noted(item)), `seed ${seed}: a call covers ${item.name}`);
      assert.notEqual(each.kind, "unknown", `seed ${seed}: ${item.name}`);
    }
  }
  assert.ok(kinds.has("found node"));
});

test("uncovered() says a path in plain words", () => {
  const open = uncovered(helpDesk, coverage(helpDesk, []));
  const words = open.map((each) => [each.item.name, each.kind === "found" ? each.words : each.reason] as const);
  assert.deepEqual(new Map(words).get("route -> look_up: order_number exists is false"), [
    "The call starts at welcome",
    'At welcome this is true: "Caller gives a reason for the call", so the model picks find_topic',
    'find_topic extracts no order_number, topic = "order"',
    "The call continues at route",
    "There order_number exists is false",
  ]);
});

test("uncovered() names what no call can reach, with the reason", () => {
  const equation = (left: string, operator: string, right: string) => ({
    condition: { type: "equation", equations: [{ left, operator, right }] },
  });
  const graph = parseGraph({
    entry_node_id: "ask",
    nodes: {
      ask: {
        node_type: "logic",
        transitions: [
          { target_node_id: "bye", ...equation("n", ">", "5") },
          { target_node_id: "bye", ...equation("n", ">", "6") },
          { target_node_id: "bye", condition: { type: "always" } },
        ],
      },
      bye: { node_type: "end", state_prompt: "Bye." },
      island: { node_type: "end", state_prompt: "Bye." },
    },
  });
  const none = uncovered(graph, coverage(graph, [])).flatMap((each) =>
    each.kind === "none" ? [[each.item.name, each.reason]] : [],
  );
  assert.deepEqual(none, [
    ["ask -> bye: n > 6", '"n > 6" is never taken: transition 0, "n > 5", always comes first'],
    ["ask -> bye: n > 6 is true", "it is false in every call that evaluates it"],
    ["island", 'no call reaches node "island"'],
  ]);
});

test("uncovered() ends the words of a path where it covers the item", () => {
  const silent = (target: string) => ({
    node_type: "logic",
    transitions: [{ target_node_id: target, condition: { type: "always" } }],
  });
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: { a: silent("b"), b: silent("bye"), bye: { node_type: "end", state_prompt: "Bye." } },
  });
  const words = uncovered(graph, coverage(graph, [])).map((each) => [
    each.item.name,
    each.kind === "found" ? each.words : each.reason,
  ]);
  const start = "The call starts at a";
  const goesOn = (node: string) => `The call continues at ${node}`;
  assert.deepEqual(words, [
    ["a", [start]],
    ["a -> b", [start, goesOn("b")]],
    ["b", [start, goesOn("b")]],
    ["b -> bye", [start, goesOn("b"), goesOn("bye")]],
    ["bye", [start, goesOn("b"), goesOn("bye")]],
  ]);
});
