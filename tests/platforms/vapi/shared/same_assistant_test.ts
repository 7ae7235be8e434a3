import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { type AgentGraph, parseGraph, type Transition, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { structuralEdits } from "../../structural_edits.ts";
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

/** Adds a handoff to a squad, checks that it is imported again, and returns the emitted squad. */
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

test("handoffs without a reference do not lead to a member that gets a name", () => {
  const nobody = { type: "handoff", destinations: [{ assistantName: "" }] };
  const model = { ...OPENAI.model, tools: [nobody] };
  const config = handedOver({ members: [{ assistant: { name: "", model } }] }, "member_1", "member_1");
  assert.match(JSON.stringify(config), /"destinations":\[\{"assistantName":""\}\]/);
});

test("members with numeric names keep their place among members with the same assistant", () => {
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

const END = { type: "endCall" };
const PROMPT = { role: "system", content: "Ask for the booking number." };
const saved = {
  ...{ id: "a", name: "Bot", firstMessage: "Hi", orgId: "org" },
  model: { provider: "openai", model: "gpt-4o", messages: [PROMPT], tools: [END] },
};
const { name: _, ...nameless } = saved;

/** A squad with several members that refer to one assistant beside the squad. */
const BUNDLE = {
  squad: {
    members: [
      { assistantId: "a", assistantDestinations: [{ type: "assistant", assistantName: "Two", description: "go" }] },
      { assistantId: "a", assistantOverrides: { name: "Two" } },
      { assistantId: "a" },
      { assistantId: "elsewhere" },
    ],
  },
  assistants: [{ id: "unused" }, saved],
};

function memberships(config: unknown): readonly unknown[] {
  const { squad, assistants }: typeof BUNDLE = plain(Object(config));
  return [squad.members.map(({ assistantId }) => assistantId), assistants.map(({ id }) => id)];
}

test("members that share an assistant of an export all have its prompt and its ends", () => {
  const { nodes } = imported(vapiSquad, BUNDLE);
  assert.deepEqual(Object.keys(nodes), ["Bot", "Two", "Bot_2", "elsewhere", "end_call"]);
  for (const id of ["Bot", "Two", "Bot_2"]) {
    assert.equal(nodes[id]?.state_prompt, PROMPT.content, id);
    assert.equal(nodes[id]?.transitions.at(-1)?.target_node_id, "end_call", id);
  }
});

test("an assistant that several members share is emitted once", () => {
  const written = emitted(vapiSquad, withoutOriginal(imported(vapiSquad, BUNDLE))).config;
  assert.deepEqual(memberships(written), [["a", "a", "a", "elsewhere"], ["a"]]);
});

test("an edited member gets a copy of the assistant, and the others keep the shared one", () => {
  const graph = imported(vapiSquad, BUNDLE);
  const { config } = emitted(vapiSquad, prompted(graph, "Two", "Ask for the name."));
  assert.deepEqual(memberships(config), [
    ["a", undefined, "a", "elsewhere"],
    ["unused", "a"],
  ]);
  const prompts = Object.values(imported(vapiSquad, config).nodes).map(({ state_prompt: prompt }) => prompt);
  assert.deepEqual(prompts, [PROMPT.content, "Ask for the name.", PROMPT.content, "", ""]);
});

test("renaming a member renames that member, not its shared assistant", () => {
  for (const document of [BUNDLE, { members: [{ assistant: saved }, { assistant: saved }] }]) {
    const graph = imported(vapiSquad, document);
    const { Bot_2: second, ...nodes } = graph.nodes;
    assert.ok(second);
    const renamed = { ...graph, nodes: { ...nodes, Helper: { ...second, id: "Helper" } } };
    const text = JSON.stringify(emitted(vapiSquad, parseGraph(plain(renamed))).config);
    assert.match(text, /"assistantOverrides":\{"name":"Helper"\}/);
    assert.equal(text.match(/"name":"Helper"/g)?.length, 1);
  }
});

test("structural edits of members that share an assistant are emitted and imported, with and without the imported text", () => {
  const documents = [
    BUNDLE,
    { squad: { members: [{ assistantId: "a" }, { assistantId: "a" }] }, assistants: [nameless] },
    { members: [{ assistant: saved }, { assistant: saved }, { assistant: { ...saved, id: "b" } }] },
  ];
  for (const document of documents) {
    const graph = imported(vapiSquad, document);
    const prompts = Object.keys(graph.nodes).slice(0, 2);
    const edits = [
      ...prompts.map((id) => ({ what: `prompt of ${id}`, graph: prompted(graph, id, "Ask for the name.") })),
      ...structuralEdits(graph, () => true, 0),
    ];
    for (const { what, graph: changed } of edits.slice(0, sampled(100)))
      for (const wanted of [changed, withoutOriginal(changed)]) {
        const { config } = emitted(vapiSquad, wanted);
        assert.deepEqual(
          plain(modelled(imported(vapiSquad, config))),
          plain(modelled(parseGraph(plain(wanted)))),
          what,
        );
      }
  }
});

function prompted(graph: AgentGraph, id: string, prompt: string): AgentGraph {
  const node = graph.nodes[id];
  assert.ok(node);
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, state_prompt: prompt } } };
}
