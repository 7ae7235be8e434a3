import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { getAt, replaceAt, setAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph, type Transition } from "../../../../src/document/graph/mod.ts";
import { clinicSquad, deskAssistant } from "./documents.ts";
import { emitted, imported, plain } from "./lens.ts";

function node(id: string, fields: Partial<AgentNode>): AgentNode {
  const lists = { tools: [], transitions: [], variables_to_extract: [] };
  return { id, node_type: "conversation", state_prompt: "", ...lists, metadata: {}, ...fields };
}

function to(target: string, value: string): Transition {
  return { target_node_id: target, condition: { type: "llm_prompt", value } };
}

/** Adds nodes to a graph, and transitions to its entry node. */
function grown(graph: AgentGraph, nodes: readonly AgentNode[], transitions: readonly Transition[]): AgentGraph {
  const entry = graph.nodes[graph.entry_node_id];
  assert.ok(entry);
  const changed = { ...entry, transitions: [...entry.transitions, ...transitions] };
  const added = Object.fromEntries([changed, ...nodes].map((item) => [item.id, item]));
  return parseGraph(plain({ ...graph, nodes: { ...graph.nodes, ...added } }));
}

const equation = { type: "equation" as const, value: "", equations: [{ left: "plan", operator: "==", right: "gold" }] };

test("emit() adds a member for a new conversation node", () => {
  const fees = node("Fees", { state_prompt: "Explain the fees.", transitions: [to("aaaa-nurse", "Caller is unwell")] });
  const graph = grown(imported(vapiSquad, clinicSquad()), [fees], [to("Fees", "Caller asks what it costs")]);
  const { config } = emitted(vapiSquad, graph);
  assert.equal(getAt(config, ["members", 4, "assistant", "name"]), "Fees");
  const back = ["members", 4, "assistantOverrides", "tools:append", 0, "destinations", 0];
  assert.equal(getAt(config, [...back, "assistantId"]), "aaaa-nurse");
  assert.equal(getAt(config, [...back, "assistantName"]), undefined);
  const before = imported(vapiSquad, clinicSquad()).nodes;
  const after = imported(vapiSquad, config).nodes;
  assert.deepEqual(Object.keys(after).sort(), [...Object.keys(before), "Fees"].sort());
  assert.deepEqual(
    after.Greeter?.transitions.map(({ target_node_id }) => target_node_id),
    ["Booking", "Billing", "aaaa-nurse", "Fees", "end_call"],
  );
  assert.equal(after.Greeter?.state_prompt, before.Greeter?.state_prompt);
});

test("emit() adds a member for a new conversation node with a tool", () => {
  const tools = [{ name: "look_up", description: "Looks a fee up", type: "custom", url: "https://fees.example" }];
  const fees = node("Fees", {
    state_prompt: "Explain the fees.",
    tools,
    transitions: [to("Greeter", "Anything else")],
  });
  const graph = grown(imported(vapiSquad, clinicSquad()), [fees], [to("Fees", "Caller asks what it costs")]);
  const { config, losses } = emitted(vapiSquad, graph);
  assert.deepEqual(losses, []);
  const read = imported(vapiSquad, config).nodes.Fees;
  assert.equal(read?.state_prompt, "Explain the fees.");
  assert.deepEqual(
    read?.tools.map(({ metadata: _, ...tool }) => tool),
    tools,
  );
});

test("emit() writes new equations of a squad as guarded handoffs, and reports losses", () => {
  const route = node("route", {
    node_type: "logic",
    transitions: [
      { target_node_id: "Booking", condition: equation },
      { target_node_id: "bye", condition: { type: "always", value: "" } },
    ],
  });
  const bye = node("bye", { node_type: "end", state_prompt: "Say goodbye." });
  const graph = grown(imported(vapiSquad, clinicSquad()), [route, bye], [to("route", "Caller gives a reason")]);
  const { config, losses } = emitted(vapiSquad, graph);
  const tools = getAt(config, ["members", 0, "assistantOverrides", "tools:append"]);
  assert.ok(Array.isArray(tools));
  assert.deepEqual(
    tools.map((tool) => [getAt(tool, ["type"]), getAt(tool, ["rejectionPlan"]) !== undefined]),
    [
      ["handoff", true],
      ["handoff", true],
      ["endCall", true],
    ],
  );
  assert.ok(losses.some(({ kind }) => kind === "emulated"));
  const others = clinicSquad().members.slice(1);
  assert.deepEqual(plain(getAt(config, ["members"])), [getAt(plain(config), ["members", 0]), ...others]);
});

test("emit() gives new tools unique names within their member", () => {
  const tools = ["members", 0, "assistant", "model", "tools"];
  const squad = setAt(clinicSquad(), tools, [{ type: "function", function: { name: "to_Booking" } }]);
  const graph = grown(imported(vapiSquad, squad), [], [{ target_node_id: "Booking", condition: equation }]);
  const { config } = emitted(vapiSquad, graph);
  const [, added] = [0, 1].map((at) => ["members", 0, "assistantOverrides", "tools:append", at, "function", "name"]);
  assert.equal(getAt(config, added ?? []), "to_Booking_2");
  const prompt = String(getAt(config, ["members", 0, "assistant", "model", "messages", 0, "content"]));
  assert.match(prompt, /call to_Booking_2\.$/);
});

test("emit() reports losses of an imported member with paths in the whole graph", () => {
  const graph = grown(imported(vapiSquad, clinicSquad()), [], [{ target_node_id: "Booking", condition: equation }]);
  const { losses } = emitted(vapiSquad, graph);
  assert.ok(losses.length > 0);
  const places = losses.filter(({ path }) => path[2] === "transitions").map(({ path }) => path.slice(0, 4));
  assert.ok(places.length > 0);
  for (const place of places) assert.deepEqual(place, ["nodes", "Greeter", "transitions", 3]);
});

test("emit() writes snippets and the general prompt into the members of a squad, and keeps Liquid", () => {
  const graph = imported(vapiSquad, clinicSquad());
  const booking = graph.nodes.Booking;
  assert.ok(booking);
  const nodes = { ...graph.nodes, Booking: { ...booking, state_prompt: "{%hours%} {% if x %}y{% endif %}" } };
  const source = { ...graph.source_metadata, general_prompt: "Be kind." };
  const { config } = emitted(vapiSquad, { ...graph, nodes, source_metadata: source, snippets: { hours: "9 to 5" } });
  const prompt = getAt(config, ["members", 1, "assistant", "model", "systemPrompt"]);
  assert.equal(prompt, "Be kind.\n\n9 to 5 {% if x %}y{% endif %}");
});

test("emit() keeps an imported assistant's settings when nodes are added to it", () => {
  const fees = node("fees", {
    state_prompt: "Explain the fees.",
    transitions: [to("Desk", "Caller has what they need")],
  });
  const graph = grown(imported(vapiAssistant, deskAssistant()), [fees], [to("fees", "Caller asks what it costs")]);
  const { config, losses } = emitted(vapiAssistant, graph);
  assert.equal(getAt(config, ["model", "url"]), "https://llm.example");
  assert.equal(getAt(config, ["isServerUrlSecretSet"]), false);
  assert.match(String(getAt(config, ["model", "messages", 0, "content"])), /Explain the fees\./);
  assert.ok(losses.length > 0);
});

test("emit() writes the prompt with added nodes in the place of an assistant's prompt, and keeps its other messages", () => {
  const model = { provider: "openai", model: "gpt-4o" };
  const example = { role: "assistant", content: "Which day suits you?" };
  const messages = [{ role: "system", content: "Help.", unknown: 1 }, example];
  for (const [own, at] of [
    [{ messages }, ["messages", 0, "content"]],
    [{ systemPrompt: "Help." }, ["systemPrompt"]],
  ] as const) {
    const document = { name: "Ana", firstMessage: "Hello.", model: { ...model, ...own } };
    const fresh = node("fresh", { state_prompt: "Ask for the name." });
    const graph = grown(imported(vapiAssistant, document), [fresh], [to("fresh", "Caller books")]);
    const written = getAt(emitted(vapiAssistant, graph).config, ["model"]);
    assert.match(String(getAt(written, at)), /Ask for the name\./);
    assert.deepEqual(replaceAt(replaceAt(written, at, "Help."), ["tools"], undefined), {
      ...document.model,
      tools: undefined,
    });
  }
});

test("emit() writes any graph as a squad and an assistant that are imported with the same ids", () => {
  const nodes = [
    node("a greeting whose id is longer than an assistant's name may be", { transitions: [to("b", "Caller agrees")] }),
    node("b", { state_prompt: "Say more." }),
  ];
  const graph = parseGraph({
    nodes: Object.fromEntries(nodes.map((item) => [item.id, item])),
    entry_node_id: nodes[0]?.id,
  });
  const read = imported(vapiSquad, emitted(vapiSquad, graph).config);
  assert.deepEqual(Object.keys(read.nodes), Object.keys(graph.nodes));
  assert.equal(read.nodes.b?.state_prompt, "Say more.");
  assert.deepEqual(
    Object.values(read.nodes).map(({ transitions }) => transitions.map(({ condition }) => condition.value)),
    [["Caller agrees"], []],
  );
  assert.deepEqual(emitted(vapiSquad, read).config, emitted(vapiSquad, graph).config);
  assert.equal(imported(vapiAssistant, emitted(vapiAssistant, graph).config).entry_node_id, graph.entry_node_id);
});

test("emit() keeps Vapi's settings of a tool in a new function node", () => {
  const before = imported(vapiSquad, clinicSquad());
  const tools = before.nodes.Greeter?.tools.filter(({ name }) => name === "find_patient") ?? [];
  const next: Transition = { target_node_id: "Booking", condition: { type: "always", value: "" } };
  const look = node("look", { node_type: "function", tools, transitions: [next] });
  const { config } = emitted(vapiSquad, grown(before, [look], [to("look", "Caller gives a date of birth")]));
  const added = getAt(config, ["members", 0, "assistantOverrides", "tools:append"]);
  assert.ok(Array.isArray(added));
  const tool = added.find((item: unknown) => getAt(item, ["function", "name"]) === "find_patient_2");
  assert.deepEqual(getAt(tool, ["server"]), { url: "https://clinic.example/tools", timeoutSeconds: 20 });
});
