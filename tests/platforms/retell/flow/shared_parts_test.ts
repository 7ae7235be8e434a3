import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentNode, parseGraph } from "../../../../src/document/graph/mod.ts";
import { differences } from "./differences.ts";

const read = (document: unknown) => importAgent(document, { format: "retell" }).graph;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const says = (prompt: string) => ({ type: "prompt", prompt });

const runs = (id: string) => ({
  id,
  type: "function",
  tool_id: "look",
  tool_type: "local",
  wait_for_result: true,
  edges: [],
});
const TOOLS = {
  conversation_flow_id: "f",
  start_node_id: "a",
  tools: [
    {
      type: "custom",
      tool_id: "look",
      name: "look",
      description: "Looks",
      url: "https://example.test",
      timeout_ms: 5000,
    },
    { type: "custom", tool_id: "last", name: "last", url: "https://example.test" },
  ],
  nodes: [runs("a"), runs("b"), runs("c")],
};

const enters = (id: string) => ({
  id,
  type: "component",
  component_id: "card",
  component_type: "local",
  else_edge: { id: `else-${id}`, transition_condition: says("Else"), destination_node_id: "end" },
});
const COMPONENTS = {
  conversation_flow_id: "f",
  start_node_id: "a",
  nodes: [enters("a"), enters("b"), { id: "end", type: "end" }],
  components: [
    {
      name: "Card",
      conversation_flow_component_id: "card",
      start_node_id: "ask",
      nodes: [{ id: "ask", type: "conversation", instruction: { type: "prompt", text: "Ask" } }],
    },
    { name: "Other", conversation_flow_component_id: "other", nodes: [{ id: "x", type: "end" }] },
  ],
};

/** Changes nodes of a document's graph and emits it. */
function changed(document: object, edit: (node: AgentNode) => AgentNode): JsonObject {
  const graph = parseGraph(plain(read(plain(document))));
  const nodes = Object.fromEntries(Object.values(graph.nodes).map((node) => [node.id, edit(node)]));
  const after = plain(emit({ ...graph, nodes }, "retell").config);
  assert.ok(isRecord(after));
  return after;
}

/** Changes nodes of a document's graph; returns the paths of changes in the document. */
function changes(document: object, edit: (node: AgentNode) => AgentNode): string[] {
  return differences(plain(document), changed(document, edit));
}

const describe = (node: AgentNode, description: string): AgentNode => ({
  ...node,
  tools: node.tools.map((tool) => ({ ...tool, description })),
});

test("emit() gives an edited copy of a shared tool a new id, and keeps the others", () => {
  for (const [index, id] of ["a", "b", "c"].entries())
    assert.deepEqual(
      changes(TOOLS, (node) => (node.id === id ? describe(node, "Finds") : node)),
      [index === 0 ? "tools.2" : "tools.1", `nodes.${index}.tool_id`],
    );
});

test("emit() gives an edited copy of a shared tool an id that no other tool has, including unused tools", () => {
  const second = { type: "custom", tool_id: "look-2", name: "second", url: "https://example.test" };
  for (const last of ["look"]) {
    const nodes = [runs("a"), runs("b"), { ...runs("c"), tool_id: last }];
    const after = changed({ ...TOOLS, tools: [...TOOLS.tools, second], nodes }, (node) =>
      node.id === "a" ? describe(node, "Finds") : node,
    );
    const ids = (list: unknown) =>
      (Array.isArray(list) ? list : []).map(({ tool_id }: { tool_id?: unknown }) => tool_id);
    assert.deepEqual(ids(after.tools), ["look", "last", "look-2", "look-3"]);
    assert.deepEqual(ids(after.nodes), ["look-3", "look", last]);
  }
});

test("emit() edits a shared tool if all of its nodes have the same edit", () => {
  assert.deepEqual(
    changes(TOOLS, (node) => describe(node, "Finds")),
    ["tools.0.description"],
  );
});

test("emit() gives the edited copy of a tool with two nodes a new id, whichever node was edited", () => {
  const two = { ...TOOLS, nodes: [runs("a"), runs("b")] };
  for (const [index, id] of ["a", "b"].entries())
    assert.deepEqual(
      changes(two, (node) => (node.id === id ? describe(node, "Finds") : node)),
      [index === 0 ? "tools.2" : "tools.1", `nodes.${index}.tool_id`],
    );
});

test("emit() keeps a tool's id for the one unedited node, if most nodes edited the tool", () => {
  const after = changed(TOOLS, (node) => (node.id === "b" ? node : describe(node, "Finds")));
  const idOf = (node: unknown) => (isRecord(node) ? node.tool_id : undefined);
  assert.deepEqual(Array.isArray(after.nodes) && after.nodes.map(idOf), ["look-2", "look", "look-2"]);
});

test("emit() copies a component for the component node with edits", () => {
  const edit = (id: string) =>
    changes(COMPONENTS, (node) => (node.id === id ? { ...node, state_prompt: "Ask twice" } : node));
  assert.deepEqual(edit("b/ask"), ["nodes.1.component_id", "components.2"]);
  assert.deepEqual(edit("a/ask"), ["nodes.0.component_id", "components.2"]);
  const both = (node: AgentNode) => (node.state_prompt === "Ask" ? { ...node, state_prompt: "Ask twice" } : node);
  assert.deepEqual(changes(COMPONENTS, both), ["components.0.nodes.0.instruction.text"]);
});
