import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { hotelExport, hotelFlow } from "./every_node.ts";

const read = (document: unknown) => importAgent(document, { format: "retell" }).graph;

const graph = read(hotelExport);

function nodeOf(id: string) {
  const node = own(graph.nodes, id);
  assert.ok(node, id);
  return node;
}

test("import() reads every type of node", () => {
  const types = Object.values(graph.nodes).map((node) => `${node.id}: ${node.node_type}`);
  assert.deepEqual(types, [
    "welcome: conversation",
    "stay: extract",
    "rate: function",
    "split: logic",
    "discount: function",
    "rooms: function",
    "pay: logic",
    "pay/ask-card: conversation",
    "pay/card-done: logic",
    "pay/exit: logic",
    "confirm: function",
    "spell: conversation",
    "butler: conversation",
    "spa: transfer",
    "desk: transfer",
    "sorry: conversation",
    "menu: conversation",
    "bridge: transfer",
    "cancel: end",
    "bye: end",
  ]);
});

test("import() reads every slot of edges as a transition", () => {
  const said = Object.values(graph.nodes).flatMap((node) =>
    node.transitions.map(({ target_node_id: to, condition, timing }) =>
      [node.id, to, condition.type, condition.value || condition.outcome, timing].filter(Boolean).join(" "),
    ),
  );
  assert.deepEqual(said, [
    "welcome stay llm_prompt Caller wants a room",
    "welcome butler equation",
    "welcome desk always else",
    "stay rate always",
    "rate split llm_prompt There is a price",
    "split discount equation",
    "split pay always",
    "discount rooms always",
    "rooms pay llm_prompt There are rooms",
    "pay pay/ask-card always",
    "pay/ask-card pay/card-done llm_prompt Caller gave the card",
    "pay/card-done pay/exit always",
    "pay/exit confirm llm_prompt Card is fine",
    "pay/exit desk always",
    "confirm bye tool_call succeeded",
    "confirm spell tool_call failed",
    "spell bye always",
    "butler spa llm_prompt Guest wants the spa",
    "spa desk tool_call failed",
    "desk sorry tool_call failed",
    "sorry menu always skip_response",
    "menu bridge llm_prompt Menu is over",
  ]);
});

test("import() removes the braces of equations, and keeps their logical operator", () => {
  assert.deepEqual(nodeOf("welcome").transitions[1]?.condition, {
    type: "equation",
    value: "",
    equations: [
      { left: "guest", operator: "==", right: "known" },
      { left: "vip", operator: "exists" },
    ],
    logical_operator: "or",
  });
});

test("import() adds tools that can be mocked to nodes that call a service", () => {
  const names = ["rate", "discount", "rooms", "confirm", "butler", "menu"].map((id) =>
    nodeOf(id).tools.map((tool) => tool.name),
  );
  assert.deepEqual(names, [
    ["look_up_rate"],
    ["Work_out_discount"],
    ["list_rooms"],
    ["confirm"],
    ["take_note", "hang_up"],
    ["press_digit"],
  ]);
  assert.deepEqual(nodeOf("rate").tools[0], {
    name: "look_up_rate",
    description: "The price of a night",
    type: "custom",
    url: "https://example.test/rate",
    tool_id: "tool-rate",
    parameters: { type: "object", properties: { night: { type: "string" } }, required: ["night"] },
    response_variables: { price: "$.price" },
    metadata: { retell: { headers: { Authorization: "Bearer {{token}}" }, timeout_ms: 5000 } },
  });
  assert.deepEqual(nodeOf("discount").tools[0]?.response_variables, { price: "$.price" });
});

test("import() reads settings of the whole agent", () => {
  const { general_prompt, start_speaker, default_dynamic_variables } = graph.source_metadata;
  assert.deepEqual(
    {
      general_prompt,
      start_speaker,
      default_dynamic_variables,
      model: graph.default_model,
      entry: graph.entry_node_id,
    },
    {
      general_prompt: "You answer the phone of a small hotel.",
      start_speaker: "agent",
      default_dynamic_variables: { hotel: "Alder" },
      model: "gpt-4.1",
      entry: "welcome",
    },
  );
});

test("import() keeps keys that the graph does not model under their owner", () => {
  const keptBy = (owner: { readonly [name: string]: unknown } | null | undefined) => JSON.stringify(owner?.retell);
  assert.match(keptBy(nodeOf("desk").metadata), /"transfer_destination":\{"type":"predefined","number":"\+15550100"\}/);
  assert.match(keptBy(nodeOf("desk").global_node_setting?.metadata), /"cool_down":3/);
  assert.match(keptBy(nodeOf("welcome").transitions[0]?.metadata), /"id":"w1"/);
  assert.match(keptBy(graph.source_metadata), /"agent":\{.*"voice_id":"retell-Cimo"/);
});

test("emit() returns the whole document in its original container", () => {
  const containers = [
    hotelExport,
    hotelFlow,
    [hotelExport],
    { agent: { voice_id: "v" }, conversation_flow: hotelFlow, saved: "today" },
    { conversation_flow_component_id: "c", name: "Part", nodes: hotelFlow.nodes.slice(-1) },
  ];
  for (const document of containers) {
    const { config, losses } = emit(importAgent(document, { format: "retell" }).graph, "retell");
    assert.deepEqual(JSON.parse(JSON.stringify(config)), JSON.parse(JSON.stringify(document)));
    assert.deepEqual(losses, []);
  }
});
