import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFormat, importAgent } from "../../../../platforms/mod.ts";
import { hotelExport } from "./every_node.ts";

const says = (prompt: string) => ({ type: "prompt", prompt });

/** Returns the findings for a flow of this start node and an end. */
function found(node: object, more: object = {}): string[] {
  const flow = {
    start_speaker: "agent",
    model_choice: { type: "cascading", model: "gpt-4.1" },
    start_node_id: "a",
    nodes: [
      { id: "a", ...node },
      { id: "z", type: "end" },
    ],
    ...more,
  };
  return checkFormat("retell", importAgent(flow, { format: "retell" }).graph).findings.map(
    ({ code, path }) => `${code} ${path.join(".")}`,
  );
}

const talk = { type: "conversation", instruction: { type: "prompt", text: "Hi" } };

test("check() has no findings for a valid flow", () => {
  assert.deepEqual(checkFormat("retell", importAgent(hotelExport).graph).findings, []);
});

test("check() warns about models of the flow, a node and the voice that Retell does not list", () => {
  const model_choice = { type: "cascading", model: "mistral-large" };
  assert.deepEqual(found({ ...talk, model_choice }, { model_choice }), [
    "unknown-model model_choice.model",
    "unknown-model nodes.a.model_choice.model",
  ]);
  const flow = { start_speaker: "agent", model_choice, start_node_id: "z", nodes: [{ id: "z", type: "end" }] };
  const agent = { voice_id: "v", voice_model: "hum-1", conversationFlow: flow };
  const { findings } = checkFormat("retell", importAgent(agent, { format: "retell" }).graph);
  assert.deepEqual(
    findings.map(({ code, severity, path }) => [code, severity, path.join(".")]),
    [
      ["unknown-model", "warning", "voice_model"],
      ["unknown-model", "warning", "model_choice.model"],
    ],
  );
});

test("check() finds edges that Retell rejects", () => {
  const edges = [
    { id: "e", transition_condition: says("x"), destination_node_id: "z" },
    { id: "e", transition_condition: says("y"), destination_node_id: "a" },
    {
      id: "f",
      transition_condition: {
        type: "equation",
        operator: "&&",
        equations: Array(51).fill({ left: "v", operator: "exists" }),
      },
    },
    {
      id: "g",
      transition_condition: { type: "equation", equations: [{ left: "v", operator: "~" }] },
      destination_node_id: "q",
    },
    { id: "h" },
  ];
  assert.deepEqual(found({ ...talk, edges }), [
    "duplicate-edge-id nodes.a.edges.1.id",
    "self-edge nodes.a.edges.1",
    "too-many-equations nodes.a.edges.2.transition_condition.equations",
    "equation-operator nodes.a.edges.3.transition_condition.operator",
    "equation-shape nodes.a.edges.3.transition_condition.equations.0",
    "unknown-destination nodes.a.edges.3.destination_node_id",
    "missing-condition nodes.a.edges.4.transition_condition",
  ]);
});

test("check() finds examples whose target has no edge any more", () => {
  const edges = [{ id: "e", transition_condition: says("x"), destination_node_id: "z" }];
  const example = (id: string, to?: string) => ({ id, transcript: [], destination_node_id: to });
  const examples = { finetune_transition_examples: [example("f", "z"), example("g", "gone"), example("h")] };
  assert.deepEqual(found({ ...talk, edges, ...examples }), ["stale-example nodes.a.finetune_transition_examples.1"]);
});

test("check() finds missing required edges and wrong literals", () => {
  assert.deepEqual(found({ type: "branch", edges: [] }), ["missing-edge nodes.a.else_edge"]);
  assert.deepEqual(found({ type: "component", component_id: "c", component_type: "shared", else_edge: null }), [
    "edge-id nodes.a.else_edge.id",
    "missing-condition nodes.a.else_edge.transition_condition",
    "missing-edge nodes.a.else_edge",
  ]);
  const code = { type: "code", code: "x", wait_for_result: true };
  assert.deepEqual(found({ ...code, else_edge: { id: "e", transition_condition: says("Otherwise") } }), [
    "edge-literal nodes.a.else_edge.transition_condition.prompt",
    "unconnected-edge nodes.a.else_edge.destination_node_id",
  ]);
});

test("check() finds missing or empty fields", () => {
  assert.deepEqual(
    found(
      { type: "function", tool_id: "t", wait_for_result: true },
      { tools: [{ type: "custom", tool_id: "t", name: "a b" }] },
    ),
    ["missing-field nodes.a.tool_type", "tool-name tools.0.name", "tool-url tools.0.url"],
  );
  const transfer = {
    type: "transfer_call",
    transfer_destination: { type: "predefined", number: "" },
    transfer_option: { type: "cold_transfer" },
    edge: { id: "e", transition_condition: says("Transfer failed") },
  };
  assert.deepEqual(found(transfer), ["destination-missing nodes.a.transfer_destination.number"]);
  assert.deepEqual(found({ type: "subagent", instruction: { type: "static_text", text: "x" } }), [
    "instruction-type nodes.a.instruction",
  ]);
  assert.deepEqual(found({ type: "code", code: "x".repeat(5001), wait_for_result: true }), [
    "code-length nodes.a.code",
  ]);
});

test("check() finds a missing or unknown start node", () => {
  assert.deepEqual(found(talk, { start_node_id: "nowhere" }), ["unknown-start start_node_id"]);
  assert.deepEqual(found(talk, { start_node_id: undefined, starting_node_id: "a" }), [
    "unknown-key starting_node_id",
    "unknown-start-key starting_node_id",
  ]);
  assert.deepEqual(found({ ...talk, type: "logic_split" }), [
    "node-type nodes.a.type",
    "missing-edge nodes.a.else_edge",
  ]);
});

test("check() checks components", () => {
  const edge = (id: string, to: string) => ({ id, transition_condition: says("x"), destination_node_id: to });
  const component = {
    name: "Card",
    start_node_id: "c",
    tools: [{ type: "custom", tool_id: "t", name: "a b", url: "https://example.test" }],
    nodes: [
      { ...talk, id: "c", edges: [edge("e", "c"), edge("e", "d")] },
      { id: "d", type: "function", tool_id: "u", wait_for_result: true, edges: [] },
      { id: "f", type: "function", tool_id: "flow-tool", tool_type: "local", wait_for_result: true, edges: [] },
    ],
  };
  const expected = [
    "missing-field components.Card.nodes.d.tool_type",
    "self-edge components.Card.nodes.c.edges.0",
    "duplicate-edge-id components.Card.nodes.c.edges.1.id",
    "tool-name components.Card.tools.0.name",
    "unknown-tool components.Card.nodes.d",
  ];
  const tools = [{ type: "custom", tool_id: "flow-tool", name: "look_up", url: "https://example.test" }];
  const runs = { type: "component", component_id: "Card", component_type: "local", else_edge: { ...edge("x", "z") } };
  const ran = { ...runs, else_edge: { ...runs.else_edge, transition_condition: says("Else") } };
  assert.deepEqual(found(ran, { components: [component], tools }), expected);
  assert.deepEqual(found(talk, { components: [component], tools }), expected);
});

test("check() finds transfer nodes and tools without a destination", () => {
  const transfer = { type: "transfer_call", name: "desk", transfer_option: { type: "cold_transfer" } };
  const tools = [
    { ...transfer, transfer_destination: { type: "predefined", number: "" } },
    { ...transfer, transfer_destination: { type: "inferred" } },
    transfer,
    { ...transfer, transfer_destination: { type: "predefined", number: "{{desk}}" } },
  ];
  assert.deepEqual(found({ ...talk, type: "subagent", tools }), [
    "destination-missing nodes.a.tools.0.transfer_destination.number",
    "destination-missing nodes.a.tools.1.transfer_destination.prompt",
    "destination-missing nodes.a.tools.2.transfer_destination.number",
  ]);
  const edge = { id: "e", transition_condition: says("Transfer failed") };
  assert.deepEqual(found({ ...transfer, transfer_destination: "+15550100", edge }), [
    "destination-missing nodes.a.transfer_destination.number",
  ]);
});

test("check() only warns about problems that Retell's own exports have", () => {
  const severities = (node: object) => {
    const flow = { start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-5" }, start_node_id: "a" };
    const nodes = [
      { id: "a", ...node },
      { id: "z", type: "end" },
    ];
    const { findings } = checkFormat("retell", importAgent({ ...flow, nodes }).graph);
    return findings.map(({ code, severity }) => `${severity} ${code}`);
  };
  const bare = { id: "e", destination_node_id: "z" };
  assert.deepEqual(severities({ type: "code", code: "", wait_for_result: true }), ["warning empty-code"]);
  assert.deepEqual(severities({ type: "code", wait_for_result: true }), ["error missing-field"]);
  assert.deepEqual(severities({ ...talk, else_edge: bare }), ["warning missing-condition"]);
  assert.deepEqual(severities({ ...talk, edges: [bare] }), ["error missing-condition"]);
});
