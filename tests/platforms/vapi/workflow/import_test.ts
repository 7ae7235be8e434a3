import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { vapiWorkflow } from "../../../../platforms/vapi/workflow/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import {
  bikeWorkshop,
  DOCUMENTED,
  DOCUMENTS,
  emitted,
  FIRST_GENERATION,
  imported,
  SECOND_GENERATION,
} from "./documents.ts";

const outline = (document: unknown) =>
  Object.values(imported(document).nodes).map(({ id, node_type, transitions }) => [
    id,
    node_type,
    ...transitions.map(
      ({ target_node_id: to, condition, timing }) => `${condition.type}${timing ? `/${timing}` : ""} ${to}`,
    ),
  ]);

test("import() reads an export: tools as ends and transfers, extract nodes between a node and its targets", () => {
  const graph = imported(bikeWorkshop());
  assert.equal(graph.entry_node_id, "welcome");
  assert.equal(graph.default_model, "openai/gpt-4o");
  assert.equal(graph.source_metadata.begin_message, "Spoke workshop, hello! How can I help?");
  assert.match(graph.source_metadata.general_prompt ?? "", /^You answer the phone of Spoke/);
  const types = Object.entries(graph.nodes).map(([id, node]) => `${id}: ${node.node_type}`);
  assert.deepEqual(types.slice(1, 4), [
    "describe_bike: conversation",
    "describe_bike > offer_ebike_slot: extract",
    "describe_bike > offer_slot: extract",
  ]);
  assert.deepEqual(graph.nodes["ask_ticket > look_up_repair"]?.variables_to_extract, [
    { name: "ticket", description: "Four digits", type: "string" },
  ]);
  assert.deepEqual(graph.nodes.talk_to_mechanic?.global_node_setting, {
    condition: "Caller insists on talking to a mechanic",
    go_back_conditions: [],
  });
  assert.equal(graph.nodes.welcome?.global_node_setting, undefined, "an empty entry condition makes no global node");
  const [tool] = graph.nodes.look_up_repair?.tools ?? [];
  assert.deepEqual(
    [tool?.name, tool?.url, tool?.response_variables],
    ["repair_status", "https://example.com/repairs/status", { repair_state: "$.state" }],
  );
  const bye = graph.nodes.hangup_1751882355790;
  assert.deepEqual(
    [bye?.node_type, bye?.instruction_type, bye?.state_prompt],
    ["end", "static_text", "Thank you for calling Spoke. Goodbye!"],
  );
});

test("import() reads say, gather, apiRequest, transfer and hangup nodes", () => {
  assert.deepEqual(outline(SECOND_GENERATION), [
    ["hello", "conversation", "always/skip_response number"],
    ["number", "conversation", "llm_prompt number > track"],
    ["number > track", "extract", "always track"],
    ["track", "function", "tool_call desk", "equation place"],
    ["place", "conversation", "always/else bye"],
    ["desk", "transfer"],
    ["bye", "end"],
  ]);
  const { nodes } = imported(SECOND_GENERATION);
  assert.deepEqual(nodes.track?.transitions[1]?.condition.equations, [{ left: "place", operator: "exists" }]);
  assert.deepEqual(nodes.track?.tools[0]?.response_variables, { place: "$.place" });
  assert.equal(nodes.number?.state_prompt, "What is the parcel's number?");
});

test("import() reads the first generation, with capitalized types and boolean expressions", () => {
  const [, condition] = [0, imported(FIRST_GENERATION).nodes.ask?.transitions[0]?.condition];
  assert.deepEqual(condition, {
    type: "equation",
    value: "",
    equations: [
      { left: "age", operator: ">=", right: "18" },
      { left: "city", operator: "==", right: "Bern" },
    ],
    logical_operator: "and",
  });
});

test("import() reads the form of Vapi's guides and keeps edges to missing nodes", () => {
  const graph = imported(DOCUMENTED);
  assert.deepEqual(graph.nodes.human?.global_node_setting?.condition, "Caller asks for a human");
  assert.deepEqual(graph.nodes.human?.transitions[0]?.condition.equations, [
    { left: "who", operator: "==", right: "Ann" },
  ]);
  assert.equal(graph.nodes.greeting?.transitions.length, 1);
  assert.deepEqual(emitted(graph), DOCUMENTED);
});

test("import() reads a condition with a placeholder as an LLM condition", () => {
  for (const prompt of [
    "{{ city }}",
    "Caller says {{ city }}",
    "{{ a == 1 and b == 2 or c == 3 }}",
    "{{ a | upcase == 'B' }}",
  ]) {
    const edges = [{ from: "a", to: "b", condition: { type: "ai", prompt } }];
    const document = {
      nodes: [
        { name: "a", type: "conversation" },
        { name: "b", type: "conversation" },
      ],
      edges,
    };
    assert.deepEqual(imported(document).nodes.a?.transitions[0]?.condition, { type: "llm_prompt", value: prompt });
  }
});

for (const [name, document] of DOCUMENTS)
  test(`emit() returns ${name} unchanged`, () => {
    assert.equal(importAgent(document).format, "vapi-workflow");
    assert.deepEqual(emitted(imported(document)), document);
  });

test("detect() is less certain the more nodes have types or no names that workflows do not have", () => {
  const certainty = (...nodes: readonly object[]) => vapiWorkflow.detect?.({ nodes, edges: [] }) ?? 0;
  const [start, other] = [
    { name: "start", type: "conversation" },
    { id: "2", type: "Default" },
  ];
  assert.equal(certainty(start, { name: "no type" }), 0.9);
  assert.equal(certainty(start, other, other, { globalConfig: {} }), 0.225);
  assert.equal(certainty(other, { isStart: true, type: "new" }), 0.1);
  assert.throws(() => importAgent({ nodes: [other, { isStart: true, type: "new" }], edges: [] }), {
    code: "unknown-shape",
  });
  assert.equal(certainty(other, { globalConfig: {} }), 0);
});

test("import() rejects workflows with only unknown node types and names the types", () => {
  const document = { nodes: [{ id: "a", name: "A", type: "assistant", assistant: {} }], edges: [] };
  const refused = (error: unknown) =>
    isCallweaveError(error) && error.code === "unknown-shape" && /"assistant"/.test(error.message) && error.hint !== "";
  assert.throws(() => importAgent(document), refused);
});

test("emit() rejects a graph that was not imported from a workflow", () => {
  const graph = { ...imported(DOCUMENTED), source_type: "custom", source_metadata: {} };
  assert.throws(
    () => emit(graph, "vapi-workflow"),
    (error) => isCallweaveError(error) && error.code === "format-not-emitted" && /vapi-squad/.test(error.hint),
  );
});

test("importAgent() does not detect a page of another platform's flows as a workflow", () => {
  const nodes = [{ id: "a", type: "conversation" }];
  const page = (flow: object) => ({ items: [{ nodes, ...flow }], has_more: false });
  assert.equal(importAgent(page({ name: "Desk", edges: [] })).format, "vapi-workflow");
  for (const key of ["conversation_flow_id", "conversation_flow_component_id", "model_choice"])
    assert.throws(
      () => importAgent(page({ [key]: "flow_1" })),
      (error) => isCallweaveError(error) && error.code === "unknown-format",
    );
});
