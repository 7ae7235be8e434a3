import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, Transition } from "../../../../src/document/graph/mod.ts";

const transcript = [{ role: "user", content: "I need help" }];
const edge = (id: string, target: string) => {
  return { id, destination_node_id: target, transition_condition: { type: "prompt", prompt: `Go to ${target}` } };
};

/** A flow with examples at its first node: for an edge, for a global node, and for staying at the node. */
const FLOW = {
  start_node_id: "greet",
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    {
      id: "greet",
      type: "conversation",
      instruction: { type: "prompt", text: "Greet." },
      edges: [edge("to-repair", "repair"), edge("to-bye", "bye")],
      finetune_transition_examples: [
        { id: "a", transcript, destination_node_id: "repair" },
        { id: "b", transcript, destination_node_id: "boss" },
        { id: "c", transcript, destination_node_id: "greet" },
        { id: "d", transcript, destination_node_id: "never-there" },
        { id: "e", transcript },
      ],
    },
    { id: "repair", type: "conversation", instruction: { type: "prompt", text: "Ask." }, edges: [edge("done", "bye")] },
    {
      id: "boss",
      type: "conversation",
      instruction: { type: "prompt", text: "Take a message." },
      edges: [],
      global_node_setting: { condition: "Caller asks for the boss" },
    },
    { id: "bye", type: "end" },
  ],
};

const imported = () => importAgent(JSON.stringify(FLOW)).graph;

/** Emits a graph; returns the targets of a node's examples. */
function examples(graph: AgentGraph, id = "greet"): readonly unknown[] {
  const { config } = emit(graph, "retell");
  const nodes: readonly unknown[] = isRecord(config) && Array.isArray(config.nodes) ? config.nodes : [];
  const node = nodes.filter(isRecord).find((each) => each.id === id);
  const list: readonly unknown[] = Array.isArray(node?.finetune_transition_examples)
    ? node.finetune_transition_examples
    : [];
  return list.filter(isRecord).map((each) => each.destination_node_id ?? null);
}

function renamed(graph: AgentGraph, from: string, to: string): AgentGraph {
  const name = (id: string) => (id === from ? to : id);
  const nodes = Object.values(graph.nodes).map((node) => {
    const transitions = node.transitions.map((each) => ({ ...each, target_node_id: name(each.target_node_id) }));
    return [name(node.id), { ...node, id: name(node.id), transitions }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes), entry_node_id: name(graph.entry_node_id) };
}

function withTransitions(change: (all: readonly Transition[]) => readonly Transition[]): AgentGraph {
  const graph = imported();
  const { greet } = graph.nodes;
  assert.ok(greet);
  return { ...graph, nodes: { ...graph.nodes, greet: { ...greet, transitions: change(greet.transitions) } } };
}

test("examples of an imported flow are emitted unchanged", () => {
  assert.deepEqual(emit(imported(), "retell").config, FLOW);
});

test("a renamed node is renamed in all examples, with or without an edge to it", () => {
  const rest = ["boss", "greet", "never-there", null];
  assert.deepEqual(examples(renamed(imported(), "repair", "fix")), ["fix", ...rest]);
  assert.deepEqual(examples(renamed(imported(), "boss", "owner")), ["repair", "owner", ...rest.slice(1)]);
  const hello = renamed(imported(), "greet", "hello");
  assert.deepEqual(examples(hello, "hello"), ["repair", "boss", "hello", "never-there", null]);
});

test("examples follow their edge: to its new target, and are deleted with it", () => {
  const rest = ["boss", "greet", "never-there", null];
  const moved = withTransitions((all) => all.map((each) => ({ ...each, target_node_id: "bye" })));
  assert.deepEqual(examples(moved), ["bye", ...rest]);
  assert.deepEqual(examples(withTransitions((all) => all.slice(1))), rest);
});
