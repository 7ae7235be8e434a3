import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { type AgentGraph, parseGraph, type Transition } from "../../../../src/graph/mod.ts";
import { modelled } from "./edit.ts";
import { emitted, imported, plain } from "./lens.ts";

const OPENAI = { model: { provider: "openai" } };

function withTransitions(graph: AgentGraph, id: string, transitions: readonly Transition[]): AgentGraph {
  const node = graph.nodes[id];
  assert.ok(node);
  return parseGraph(plain({ ...graph, nodes: { ...graph.nodes, [id]: { ...node, transitions } } }));
}

const to = (target_node_id: string, value = "Caller asks"): Transition => ({
  target_node_id,
  condition: { type: "llm_prompt", value },
});

/** Adds a handoff to a squad, and checks that it is read back; gives what was written. */
function handedOver(document: unknown, from: string, target: string): unknown {
  const before = imported(vapiSquad, document);
  const graph = withTransitions(before, from, [...(before.nodes[from]?.transitions ?? []), to(target)]);
  const { config } = emitted(vapiSquad, graph);
  assert.deepEqual(modelled(imported(vapiSquad, config)), modelled(graph));
  return config;
}

test("a handoff to the second of two members with one assistant gives that member a name", () => {
  const squad = {
    members: [
      { assistant: { name: "Greeter", id: "saved", ...OPENAI } },
      { assistantId: "saved" },
      { assistant: OPENAI },
    ],
  };
  const named = { assistantId: "saved", assistantOverrides: { name: "saved" } };
  const config: { readonly members: readonly unknown[] } = JSON.parse(
    JSON.stringify(handedOver(squad, "Greeter", "saved")),
  );
  assert.deepEqual(config.members[1], named);
});

test("a member that gets a name is not found by handoffs that name nobody", () => {
  const nobody = { type: "handoff", destinations: [{ assistantName: "" }] };
  const model = { ...OPENAI.model, tools: [nobody] };
  const config = handedOver({ members: [{ assistant: { name: "", model } }] }, "member_1", "member_1");
  assert.match(JSON.stringify(config), /"destinations":\[\{"assistantName":""\}\]/);
});

test("members whose names look like numbers keep their place among members with the same assistant", () => {
  const saved = { id: "saved", ...OPENAI };
  const squad = {
    members: [
      { assistant: OPENAI, assistantDestinations: [{ assistantId: "saved" }] },
      { assistant: saved },
      { assistantOverrides: { name: "42" }, assistant: saved },
    ],
  };
  const graph = imported(vapiSquad, squad);
  const first = graph.nodes.member_1?.transitions ?? [];
  const moved = withTransitions(
    graph,
    "member_1",
    first.map((transition) => ({ ...transition, target_node_id: "42" })),
  );
  assert.deepEqual(modelled(imported(vapiSquad, emitted(vapiSquad, moved).config)), modelled(moved));
});
