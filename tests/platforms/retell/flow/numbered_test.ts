import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent, parseGraph } from "../../../../mod.ts";
import { omit } from "../../../../src/base/values/mod.ts";

const tool = (id: string) => ({
  tool_id: id,
  name: id,
  type: "custom",
  url: "https://shop.example/hook",
  description: id,
});
const edge = (id: string, to: string) => ({
  id,
  destination_node_id: to,
  transition_condition: { type: "prompt", prompt: `To ${to}` },
});
const calls = (id: string, toolId: string, to: string) => ({
  id,
  type: "function",
  name: `Node ${id}`,
  tool_id: toolId,
  tool_type: "local",
  wait_for_result: true,
  edges: [edge(`edge-${id}`, to)],
});

/** Ids that are numbers come first in any object, whatever its order was. */
const FILE = {
  start_node_id: "1",
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  global_prompt: "You help.",
  tools: [tool("orders"), tool("returns"), tool("stores")],
  nodes: [
    calls("1", "orders", "2"),
    calls("2", "returns", "3"),
    calls("3", "stores", "4"),
    { id: "4", type: "end", name: "Bye", instruction: { type: "prompt", text: "Say goodbye." } },
  ],
};

test("a node with a number for an id that gets a name leaves the file's tools in their order", () => {
  const { graph } = importAgent(JSON.stringify(FILE));
  const { "1": first, ...others } = graph.nodes;
  const edited = parseGraph({
    ...graph,
    entry_node_id: "welcome",
    nodes: { ...others, welcome: { ...first, id: "welcome" } },
  });
  const { nodes, ...rest } = JSON.parse(JSON.stringify(emit(edited, "retell").config));
  assert.deepEqual(rest, { ...omit(FILE, ["nodes"]), start_node_id: "welcome" });
  // a name comes behind all numbers in any object, so that the place of the renamed node is not known
  assert.deepEqual(nodes, [...FILE.nodes.slice(1), { ...FILE.nodes[0], id: "welcome" }]);
});
