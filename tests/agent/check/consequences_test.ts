import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { type JsonObject, omit } from "../../../src/base/values/mod.ts";

const says = (prompt: string) => ({ type: "prompt", prompt });
const talk = (id: string, edges: readonly JsonObject[]): JsonObject => ({
  id,
  type: "conversation",
  instruction: { type: "prompt", text: `Say ${id}.` },
  edges,
});
const edge = (id: string, to: string): JsonObject => ({
  id,
  destination_node_id: to,
  transition_condition: says(`Caller wants ${to}`),
});
const END = { id: "bye", type: "end", instruction: { type: "prompt", text: "Say goodbye." } };
const HEAD = { start_node_id: "a", start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-4.1" } };

/** Codes and paths of a document's findings. */
function found(document: unknown): readonly string[] {
  return check(importAgent(document).graph).map(({ code, path }) => `${code} ${path.join(".")}`);
}

/** A flow of conversations that lead to the next one, the last to the end. */
function chain(count: number, changed: (edge: JsonObject) => JsonObject): JsonObject {
  const names = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index));
  const nodes = names.map((id, index) => talk(id, [changed(edge(`e_${id}`, names[index + 1] ?? "bye"))]));
  return { ...HEAD, nodes: [...nodes, END] };
}

test("a misspelt key is one finding with its cause and a hint, however many edges have it", () => {
  assert.deepEqual(found(chain(9, (each) => each)), []);
  for (const [wrong, right] of [
    ["destination", "destination_node_id"],
    ["destinationNodeId", "destination_node_id"],
    ["destination_nod_id", "destination_node_id"],
    ["transitionCondition", "transition_condition"],
  ] as const) {
    const renamed = chain(9, ({ [right]: value, ...rest }) => ({ ...rest, [wrong]: value }));
    const findings = check(importAgent(renamed).graph);
    assert.deepEqual(
      findings.map(({ code, hint }) => `${code}: ${hint}`),
      [`unknown-key: Did you mean "${right}"?`],
      wrong,
    );
    assert.match(findings[0]?.message ?? "", /; it is at 9 places$/);
  }
});

test("an equation with misspelt sides is one finding for each of them", () => {
  const equation = { left_side: "x", operator: "==", right_side: "1" };
  const condition = { type: "equation", equations: [equation], operator: "&&" };
  const flow = chain(2, (each) => ({ ...each, transition_condition: condition }));
  const codes = check(importAgent(flow).graph).map(({ code, hint }) => `${code}: ${hint}`);
  assert.deepEqual(
    codes.filter((code) => !code.startsWith("unknown-key")),
    [],
  );
  assert.ok(
    codes.includes('unknown-key: Did you mean "left"?') && codes.includes('unknown-key: Did you mean "right"?'),
  );
});

test("an edge that leads to an unknown node explains what seems cut off, and nothing else is hidden", () => {
  const lost = { ...HEAD, nodes: [talk("a", [edge("e", "nowhere")]), talk("b", [edge("f", "bye")]), END] };
  assert.deepEqual(found(lost), ["unknown-destination nodes.a.edges.0.destination_node_id"]);
  const silent = {
    ...HEAD,
    nodes: [talk("a", [edge("e", "nowhere")]), { ...talk("b", []), instruction: says("") }, END],
  };
  assert.ok(found(silent).length > 1);
});

test("an else_edge without a target is told, not the silence that follows from it", () => {
  const equation = { left: "x", operator: "==", right: "1" };
  const condition = { type: "equation", equations: [equation], operator: "&&" };
  const route = (elseEdge: JsonObject) => ({
    id: "route",
    type: "branch",
    edges: [{ id: "e2", destination_node_id: "bye", transition_condition: condition }],
    else_edge: { id: "e3", transition_condition: says("Else"), ...elseEdge },
  });
  const variables = [{ type: "string", name: "x", description: "Some x" }];
  const flow = (elseEdge: JsonObject) => ({
    ...HEAD,
    default_dynamic_variables: { x: "1" },
    nodes: [
      talk("a", [edge("e1", "note")]),
      {
        id: "note",
        type: "extract_dynamic_variables",
        variables,
        edges: [],
        else_edge: { id: "e0", destination_node_id: "route", transition_condition: says("Else") },
      },
      route(elseEdge),
      END,
    ],
  });
  assert.deepEqual(found(flow({ destination_node_id: "bye" })), []);
  assert.deepEqual(found(flow({})), ["unconnected-edge nodes.route.else_edge.destination_node_id"]);
  assert.deepEqual(found(flow({ destination: "bye" })), ["unknown-key nodes.route.else_edge.destination"]);
});

test("an unreachable node is one finding, without its dead end and its variables", () => {
  const variables = [{ type: "string", name: "x", description: "Some x" }];
  const orphan = { id: "orphan", type: "extract_dynamic_variables", variables, edges: [] };
  const flow = { ...HEAD, nodes: [talk("a", [edge("e", "bye")]), orphan, END] };
  assert.deepEqual(found(flow), ["unreachable-node nodes.orphan"]);
});

test("a suppressed cause hides its consequences too", () => {
  const { graph } = importAgent({ ...HEAD, nodes: [talk("a", [edge("e", "bye")]), { ...talk("b", []) }, END] });
  assert.deepEqual(
    check(graph).map(({ code }) => code),
    ["unreachable-node"],
  );
  const suppress = [{ code: "unreachable-node", node: "b", reason: "A draft" }];
  assert.deepEqual(check(graph, { suppress }), []);
});

test("members that a squad only names may lead anywhere: no node is said to be unreachable or a dead end", () => {
  const destination = {
    type: "assistant",
    assistantName: "Billing",
    description: "Caller asks about a bill",
    message: "",
  };
  const members = [{ assistantId: "a-1", assistantDestinations: [destination] }, { assistantId: "a-2" }];
  assert.deepEqual(found({ name: "Desk", members }), ["unknown-assistant nodes.a-1"]);
  const model = { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: "Help." }] };
  const assistants = ["a-1", "a-2"].map((id) => ({ id, name: id, model }));
  const beside = {
    squad: { name: "Desk", members: members.map((each) => omit(each, ["assistantDestinations"])) },
    assistants,
  };
  assert.deepEqual(found(beside), ["unreachable-node nodes.a-2", "dead-end nodes.a-1"]);
});

test("a single prompt needs no prompt of its node, whatever ends its calls, and is no dead end", () => {
  const end = { type: "end_call", name: "end_call", description: "Caller says goodbye" };
  const transfer = {
    type: "transfer_call",
    name: "to_desk",
    description: "Caller wants a person",
    transfer_destination: { type: "predefined", number: "+15550100123" },
    transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
  };
  for (const tools of [[], [end], [transfer], [end, transfer]])
    assert.deepEqual(found({ general_prompt: "You are a bakery.", general_tools: tools, start_speaker: "agent" }), []);
  assert.deepEqual(found({ general_prompt: " ", general_tools: [end] }), ["empty-prompt nodes.main.state_prompt"]);
  const model = { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: "Help." }] };
  assert.deepEqual(found({ name: "Desk", model }), []);
});

test("the description of a transfer's destination is its condition, and an edit goes back there", () => {
  const destination = { type: "number", number: "+15550100123", description: "Emergencies only" };
  const tool = { type: "transferCall", destinations: [destination] };
  const model = {
    provider: "openai",
    model: "gpt-4o",
    messages: [{ role: "system", content: "Help." }],
    tools: [tool],
  };
  const { graph } = importAgent({ name: "Desk", model });
  assert.deepEqual(
    graph.nodes.Desk?.transitions.map(({ condition }) => condition.value),
    ["Emergencies only"],
  );
  assert.deepEqual(check(graph), []);
  assert.deepEqual(emit(graph, "vapi-assistant").config, { name: "Desk", model });
  const { Desk: desk } = graph.nodes;
  assert.ok(desk);
  const transitions = desk.transitions.map((each) => ({ ...each, condition: { ...each.condition, value: "Fire" } }));
  const edited = { ...graph, nodes: { ...graph.nodes, Desk: { ...desk, transitions } } };
  const tools = [{ type: "transferCall", destinations: [{ ...destination, description: "Fire" }] }];
  assert.deepEqual(emit(edited, "vapi-assistant").config, { name: "Desk", model: { ...model, tools } });
});
