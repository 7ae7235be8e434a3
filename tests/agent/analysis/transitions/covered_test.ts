import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findPath,
  type GraphTransition,
  goalOf,
  graphTransitionKey,
  graphTransitions,
  keysOfCall,
  keysOfPath,
  keysOfVisits,
} from "../../../../src/agent/analysis/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const graph = parseGraph({
  entry_node_id: "ask",
  nodes: {
    ask: {
      state_prompt: "Ask.",
      transitions: [
        {
          target_node_id: "desk",
          condition: { type: "equation", equations: [{ left: "n", operator: ">", right: 5 }] },
        },
        { target_node_id: "desk", condition: { type: "llm_prompt", value: "Caller wants the desk" } },
        { target_node_id: "bye", condition: { type: "always" }, timing: "else" },
      ],
    },
    desk: {
      state_prompt: "Desk.",
      transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Done" } }],
      global_node_setting: {
        condition: "Caller asks for the desk",
        go_back_conditions: [
          { id: "a", condition: { type: "llm_prompt", value: "Go back" } },
          { id: "b", condition: { type: "equation", equations: [{ left: "n", operator: "<", right: 0 }] } },
        ],
      },
    },
    bye: { node_type: "end", state_prompt: "Bye." },
  },
});

const names = (keys: ReadonlySet<string>) =>
  graphTransitions(graph)
    .filter((each) => keys.has(graphTransitionKey(each)))
    .map(({ name }) => name);

const EQUATION = "ask -> desk: n > 5";
const MODEL = "ask -> desk: Caller wants the desk";
const BACK = ["back from desk: Go back", "back from desk: n < 0"];
const taken = (from: string, to: string, because: string, decision?: object) => ({
  role: "tool" as const,
  content: "",
  node_id: from,
  timestamp: "",
  metadata: { kind: "transition", from, to, because, ...(decision ? { decision } : {}) },
});

test("graphTransitions() lists transitions, entries of global nodes and ways back, each with a name", () => {
  assert.deepEqual(
    graphTransitions(graph).map(({ name }) => name),
    [EQUATION, MODEL, "ask -> bye: else", "desk -> bye: Done", "into desk: Caller asks for the desk", ...BACK],
  );
});

test("keysOfCall() tells transitions between the same nodes apart by the transcript", () => {
  const call = (record: ReturnType<typeof taken>) =>
    names(keysOfCall(graph, { nodesVisited: [], transcript: [record] }));
  assert.deepEqual(call(taken("ask", "desk", 'n > 5, where n is "7"')), [EQUATION]);
  assert.deepEqual(call(taken("ask", "desk", "Caller wants the desk", {})), [MODEL]);
  assert.deepEqual(call(taken("ask", "bye", "no other condition is met")), ["ask -> bye: else"]);
  assert.deepEqual(call(taken("desk", "ask", "Go back", {})), [BACK[0]]);
  assert.deepEqual(call(taken("desk", "ask", "n < 0")), [BACK[1]]);
});

test("keysOfVisits() counts every transition between two nodes that follow each other", () => {
  assert.deepEqual(names(keysOfVisits(graph, ["ask", "desk", "ask"])), [
    EQUATION,
    MODEL,
    "into desk: Caller asks for the desk",
    ...BACK,
  ]);
  assert.deepEqual(names(keysOfVisits(graph, ["ask"])), []);
});

test("goalOf(): the path that is found for a transition takes it, if a call can", () => {
  const isTaken = (target: GraphTransition) => {
    const answer = findPath(graph, goalOf(target));
    return answer.kind === "found" ? keysOfPath(graph, answer.path).has(graphTransitionKey(target)) : answer.kind;
  };
  // the model names the node, and the node's own transition comes first
  const expected = [true, true, true, true, "none", true, true];
  assert.deepEqual(graphTransitions(graph).map(isTaken), expected);
});
