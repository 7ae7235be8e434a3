import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent, parseGraph } from "../../../mod.ts";

const member = (name: string, tools: readonly unknown[] = []) => ({
  assistant: {
    name,
    model: { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: `You are ${name}.` }], tools },
  },
});
const handoff = (...names: readonly string[]) => ({
  type: "handoff",
  destinations: names.map((assistantName) => ({
    type: "assistant",
    assistantName,
    description: `To ${assistantName}`,
  })),
});

test("a renamed member is renamed in all references of the squad, also in members' overrides", () => {
  const squad = (billing: string) => ({
    name: "Desk",
    members: [
      member(
        "Front",
        [handoff(billing, "Sales"), handoff(billing)].map((tool) => structuredClone(tool)),
      ),
      member(billing),
      member("Sales"),
    ],
    membersOverrides: { "tools:append": [handoff(billing, "Sales")] },
  });
  const { graph, format } = importAgent(squad("Billing"));
  const name = (id: string) => (id === "Billing" ? "Accounts" : id);
  const nodes = Object.values(graph.nodes).map((node) => ({
    ...node,
    id: name(node.id),
    transitions: node.transitions.map((edge) => ({ ...edge, target_node_id: name(edge.target_node_id) })),
  }));
  const renamed = parseGraph({ ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) });
  const names = JSON.stringify(emit(renamed, format).config).match(/"assistantName":"\w+"/g);
  assert.deepEqual(names, JSON.stringify(squad("Accounts")).match(/"assistantName":"\w+"/g));
});
