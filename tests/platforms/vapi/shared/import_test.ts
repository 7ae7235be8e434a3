import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { clinicSquad, deskAssistant } from "./documents.ts";
import { imported } from "./lens.ts";

test("import() reads members as conversation nodes, the first one as entry", () => {
  const graph = imported(vapiSquad, clinicSquad());
  assert.deepEqual(Object.keys(graph.nodes), ["Greeter", "Booking", "aaaa-nurse", "Billing", "end_call"]);
  assert.equal(graph.entry_node_id, "Greeter");
  assert.equal(graph.nodes.Greeter?.state_prompt, "Find out why {{caller}} calls.");
  assert.equal(graph.nodes.Booking?.state_prompt, "Book an appointment.");
  assert.equal(graph.source_metadata.begin_message, "Riverside Clinic, how can I help?");
  assert.deepEqual(graph.source_metadata.default_dynamic_variables, { caller: "the caller" });
  assert.equal(graph.default_model, "openai/gpt-4o");
});

test("import() reads handoffs to members from every place as LLM transitions", () => {
  const graph = imported(vapiSquad, clinicSquad());
  const edges = Object.values(graph.nodes).flatMap((node) =>
    node.transitions.map(({ target_node_id, condition }) => [node.id, target_node_id, condition.type, condition.value]),
  );
  assert.deepEqual(edges, [
    ["Greeter", "Booking", "llm_prompt", "Caller wants an appointment"],
    ["Greeter", "Billing", "llm_prompt", "Caller asks about a bill"],
    ["Greeter", "aaaa-nurse", "llm_prompt", "Caller is unwell"],
    ["Greeter", "end_call", "llm_prompt", ""],
    ["Booking", "Greeter", "llm_prompt", "The appointment is booked"],
    ["aaaa-nurse", "Greeter", "llm_prompt", ""],
    ["aaaa-nurse", "Booking", "llm_prompt", "Caller needs a visit"],
  ]);
});

test("import() keeps the name of an assistant that is not in the document", () => {
  const kept = JSON.stringify(imported(vapiSquad, clinicSquad()).nodes.Greeter?.metadata);
  assert.match(kept, /"assistantName":"Night line"/);
});

test("import() keeps a handoff to an assistant outside of the document as a tool", () => {
  const document = { members: [{ assistantId: "a", assistantDestinations: [] }] };
  const handoff = {
    type: "handoff",
    function: { name: "to_b" },
    destinations: [{ type: "assistant", assistantId: "b" }],
  };
  const squad = { members: [{ ...document.members[0], assistantOverrides: { "tools:append": [handoff] } }] };
  const [tool] = imported(vapiSquad, squad).nodes.a?.tools ?? [];
  assert.equal(tool?.name, "to_b");
  assert.equal(tool?.type, "handoff");
});

test("import() reads a handoff that every member has as a global node", () => {
  const graph = imported(vapiSquad, clinicSquad());
  assert.equal(graph.nodes.Billing?.global_node_setting?.condition, "Caller insists on billing");
});

test("import() reads tools so that a scenario can mock them", () => {
  const [patient] = imported(vapiSquad, clinicSquad()).nodes.Greeter?.tools ?? [];
  assert.equal(patient?.name, "find_patient");
  assert.equal(patient?.type, "custom");
  assert.equal(patient?.url, "https://clinic.example/tools");
  assert.deepEqual(patient?.response_variables, { patient_id: "$.patient.id" });
  assert.deepEqual(patient?.parameters, { type: "object", properties: { born: { type: "string", maxLength: 10 } } });
});

test("import() reads an assistant's tools from every place", () => {
  const graph = imported(vapiAssistant, deskAssistant());
  const tools = graph.nodes.Desk?.tools.map(({ name, type }) => [name, type]);
  assert.deepEqual(tools, [
    ["rooms", "custom"],
    ["tool.of.tomorrow", "tool.of.tomorrow"],
    ["old_style", undefined],
  ]);
});

test("import() reads tools that end the call as nodes, one for all equal tools", () => {
  const words = [{ type: "request-start", content: "Goodbye!" }];
  const end = (description: string) => ({ type: "endCall", function: { description }, messages: words });
  const member = (name: string, tool: object) => ({
    assistant: { name, model: { provider: "openai", tools: [tool] } },
  });
  const graph = imported(vapiSquad, {
    members: [member("A", end("Caller is done")), member("B", end("Caller is rude"))],
  });
  assert.deepEqual(Object.keys(graph.nodes), ["A", "B", "end_call"]);
  const { node_type: type, state_prompt: prompt, instruction_type: how } = graph.nodes.end_call ?? {};
  assert.deepEqual([type, prompt, how], ["end", "Goodbye!", "static_text"]);
  const conditions = ["A", "B"].map((id) => graph.nodes[id]?.transitions[0]?.condition.value);
  assert.deepEqual(conditions, ["Caller is done", "Caller is rude"]);
  const desk = imported(vapiAssistant, deskAssistant());
  assert.equal(desk.nodes.transfer_call?.node_type, "transfer");
  assert.deepEqual(
    desk.nodes.Desk?.transitions.map(({ target_node_id }) => target_node_id),
    ["transfer_call"],
  );
});

test("import() reads the start of a call from the mode", () => {
  const opening = (assistant: object) => {
    const {
      vapi: _,
      original: _original,
      ...rest
    } = imported(vapiAssistant, {
      model: { provider: "openai" },
      ...assistant,
    }).source_metadata;
    return rest;
  };
  assert.deepEqual(opening({ firstMessage: "Hi" }), { begin_message: "Hi" });
  assert.deepEqual(opening({}), { begin_message: "" });
  assert.deepEqual(opening({ firstMessageMode: "assistant-waits-for-user" }), { start_speaker: "user" });
  const generated = { firstMessageMode: "assistant-speaks-first-with-model-generated-message", firstMessage: "" };
  assert.deepEqual(opening(generated), {});
});

test("importAgent() detects squads and assistants in lists and envelopes by their keys", () => {
  assert.equal(importAgent([clinicSquad()]).format, "vapi-squad");
  assert.equal(importAgent({ squad: clinicSquad(), exportedAt: "today" }).format, "vapi-squad");
  assert.equal(importAgent({ data: [{ assistant: deskAssistant() }] }).format, "vapi-assistant");
  assert.equal(importAgent({ assistant: deskAssistant(), phoneNumberId: "p" }).format, "vapi-assistant");
});

test("import() reads the first squad of a list, and the assistants beside a squad", () => {
  const nurse = { id: "aaaa-nurse", name: "Nurse", model: { provider: "openai", systemPrompt: "Ask what hurts." } };
  const bundle = { squad: clinicSquad(), assistants: [{ id: "other" }, nurse] };
  const graph = imported(vapiSquad, bundle);
  assert.equal(graph.nodes.Nurse?.state_prompt, "Ask what hurts.");
  assert.equal(
    imported(vapiSquad, [{ note: 1 }, clinicSquad(), { members: [{ assistantId: "x" }] }]).entry_node_id,
    "Greeter",
  );
});
