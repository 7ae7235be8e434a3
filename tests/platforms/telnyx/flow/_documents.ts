import * as fc from "../../../fast_check.ts";

/** A help desk: every type of node, edge and target that Telnyx's types list. */
export const DESK = {
  name: "Help desk",
  model: "openai/gpt-4o",
  instructions: "You work for Acme. Be brief.",
  greeting: "Hello, this is Acme.",
  llm_api_key_ref: null,
  messaging_settings: null,
  dynamic_variables: { tier: "basic", balance: 0 },
  voice_settings: { voice: "Telnyx.KokoroTTS.af", voice_speed: 1.0 },
  enabled_features: ["telephony"],
  tools: [{ type: "hangup", hangup: { description: "End the call" } }],
  conversation_flow: {
    start_node_id: "n_greet",
    nodes: [
      { id: "n_greet", name: "Greet", instructions: "Ask what the caller needs.", instructions_mode: "append" },
      { type: "speak", id: "n_notice", message: "This call is recorded, {{first_name}}.", position: { x: 1, y: 2.5 } },
      {
        type: "prompt",
        id: "n_order",
        instructions: "Ask for the number of the order.",
        instructions_mode: "append",
        shared_tool_ids: ["tool_1"],
        tools_mode: "append",
        model: "Qwen/Qwen3-235B-A22B",
        voice_settings: null,
        tools: [
          {
            type: "webhook",
            shared: true,
            timeout_ms: 5000,
            webhook: {
              name: "find_order",
              description: "Finds an order",
              url: "https://acme.test/orders/{number}",
              method: "GET",
              headers: [{ name: "X-Key", value: "{{#integration_secret}}acme{{/integration_secret}}" }],
              path_parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
              query_parameters: { type: "object", properties: { detail: { type: "string" } } },
              store_fields_as_variables: [{ name: "status", value_path: "order.status" }],
            },
          },
        ],
      },
      {
        type: "tool",
        id: "n_bye",
        shared_tool_id: "tool_2",
        tool: { type: "hangup", shared: true, hangup: {} },
      },
      { type: "tool", id: "n_note", shared_tool_id: "tool_3", name: "Note" },
    ],
    edges: [
      edge("e1", "n_greet", { type: "llm", prompt: "Caller asks for an order" }, "n_order"),
      {
        ...edge("e2", "n_greet", { type: "llm", prompt: "Caller asks for billing" }, ""),
        target: { type: "assistant", assistant_id: "assistant-7", voice_mode: "distinct" },
      },
      edge("e3", "n_notice", { type: "default" }, "n_greet"),
      edge("e4", "n_order", { type: "expression", expression: gold() }, "n_notice"),
      edge("e5", "n_order", { type: "expression", expression: { type: "bool_literal", value: true } }, "n_note"),
      edge("e6", "n_note", { type: "default" }, "n_bye"),
    ],
  },
};

function edge(id: string, from: string, condition: object, to: string) {
  return { id, start_node_id: from, target: { type: "node", node_id: to }, condition };
}

function gold() {
  const side = (name: string) => ({ type: "variable", name });
  return {
    type: "bool_op",
    op: "and",
    operands: [
      { type: "comparison", op: "==", left: side("tier"), right: { type: "string_literal", value: "gold" } },
      { type: "comparison", op: ">", left: side("balance"), right: { type: "number_literal", value: 0 } },
    ],
  };
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const nullish = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(value, fc.constant(null), fc.constant(undefined));
const word = fc.constantFrom("Ask", "Tell", "{{name}}", "now", "Größe", 'a "b"', "\u2028", "100%", "$&");
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const name = fc.constantFrom("tier", "balance", "__proto__", "constructor", "a.b");
const side = fc.oneof(
  name.map((each) => ({ type: "variable", name: each })),
  text.map((value) => ({ type: "string_literal", value })),
  fc.integer({ min: -5, max: 500 }).map((value) => ({ type: "number_literal", value })),
  fc.boolean().map((value) => ({ type: "bool_literal", value })),
);
const comparison = fc.record({
  type: fc.constant("comparison"),
  op: fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "contains", "not_contains"),
  left: fc.oneof(
    { weight: 4, arbitrary: name.map((each) => ({ type: "variable", name: each })) },
    { weight: 1, arbitrary: side },
  ),
  right: side,
});
const { expression } = fc.letrec<{ expression: unknown }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    fc.boolean().map((value) => ({ type: "bool_literal", value })),
    fc.record({
      type: fc.constant("bool_op"),
      op: fc.constantFrom("and", "or"),
      operands: fc.array(tie("expression"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ type: fc.constant("bool_op"), op: fc.constant("not"), operands: fc.tuple(tie("expression")) }),
  ),
}));
const condition = fc.oneof(
  fc.record({ type: fc.constant("llm"), prompt: text }),
  fc.record({ type: fc.constant("expression"), expression }),
  fc.constant({ type: "default" }),
  fc.constant({ type: "tool_result", outcome: "error" }),
);
const schema = fc.constantFrom(
  { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
  { type: "object", properties: { day: { type: "string" }, __proto__x: { type: "number" } } },
);
const webhook = fc.record(
  {
    name: fc.constantFrom("find", "book"),
    description: text,
    url: fc.constant("https://acme.test/{number}"),
    method: fc.constantFrom("GET", "POST", "DELETE"),
    body_parameters: nullish(schema),
    path_parameters: nullish(schema),
    headers: fc.constantFrom([], [{ name: "X-Team", value: "desk" }], null),
    store_fields_as_variables: fc.constantFrom([], [{ name: "tier", value_path: "a.b" }], null),
  },
  { requiredKeys: ["name", "description", "url"] },
);
const tool = fc.oneof(
  webhook.map((each) => ({ type: "webhook", webhook: each })),
  webhook.map((each) => ({ type: "webhook", timeout_ms: 5_000, shared: true, webhook: each })),
  webhook.map((each) => ({ type: "webhook", ...each })),
  fc.constant({ type: "hangup", hangup: {} }),
  fc.constant({ type: "send_dtmf", send_dtmf: {}, shared: true }),
  fc.constant({ type: "a_new_type", a_new_type: { level: 3 } }),
  text.map((description) => ({ type: "function", function: { name: "look", description, parameters: {} } })),
  fc
    .constantFrom(
      "{{desk}}",
      [{ to: "+12025550142", name: "Desk" }],
      [{ to: "sip:a@acme.test" }, { to: "+12025550143" }],
    )
    .map((targets) => ({ type: "transfer", transfer: { from: "+12025550100", targets } })),
  fc.constant({
    type: "update_dynamic_variables",
    update_dynamic_variables: { name: "save", description: "", updatable_variables: [{ name: "tier" }] },
  }),
);
const place = nullish(fc.record({ x: fc.integer(), y: fc.double({ noNaN: true, noDefaultInfinity: true }) }));
const ids = fc.uniqueArray(fc.constantFrom("a", "b", "__proto__", "constructor", "n 5", "assistant", "toString"), {
  minLength: 1,
  maxLength: 5,
});

/** An object without the keys whose value is `undefined`. */
const lean = (value: object) => JSON.parse(JSON.stringify(value));

function nodeOf(id: string) {
  const head = { id: fc.constant(id), name: nullish(text), position: place };
  return fc
    .oneof(
      fc
        .record({
          ...head,
          type: fc.constantFrom("prompt", undefined, null),
          instructions: text,
          instructions_mode: fc.constantFrom("append", "replace", undefined, null),
          shared_tool_ids: fc.constantFrom(undefined, null, [], ["t1"], ["t1", "t2"]),
          tools: maybe(fc.array(tool, { maxLength: 2 })),
          tools_mode: fc.constantFrom("append", "replace", undefined, null),
          model: nullish(text),
        })
        // a server resolves the tools that a node refers to
        .map(({ tools, ...node }) => ({
          ...node,
          ...(node.shared_tool_ids ? { tools: tools?.slice(0, node.shared_tool_ids.length) } : {}),
        })),
      fc.record({ ...head, type: fc.constant("speak"), message: text }),
      fc.record({ ...head, type: fc.constant("tool"), shared_tool_id: fc.constant("t3"), tool: nullish(tool) }),
      fc.record({ ...head, type: fc.constant("a_new_type"), level: fc.constant(3) }),
    )
    .map(lean);
}

/** Assistants that Telnyx's types allow, with null everywhere, and with values that they do not list yet. */
export const assistants = ids
  .chain((list) => {
    const target = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...list).map((id) => ({ type: "node", node_id: id })) },
      fc.constantFrom("assistant-1", "a").map((id) => ({ type: "assistant", assistant_id: id, voice_mode: "unified" })),
      fc.constant({ type: "node", node_id: "nowhere" }),
    );
    const edges = fc.array(fc.record({ start_node_id: fc.constantFrom(...list), target, condition }), { maxLength: 7 });
    return fc.record({
      name: nullish(text),
      model: nullish(fc.constantFrom("openai/gpt-4o", "x")),
      instructions: text,
      greeting: nullish(fc.constantFrom("", "Hello.", "<assistant-speaks-first-with-model-generated-message>")),
      dynamic_variables: nullish(fc.constantFrom({ tier: "basic" }, { balance: 3, deep: { a: [1] } })),
      tools: nullish(fc.array(tool, { maxLength: 2 })),
      tool_ids: fc.constantFrom(undefined, null, ["t9"]),
      telephony_settings: fc.constantFrom({ time_limit_secs: 60 }, { noise_suppression: null }),
      conversation_flow: fc.record({
        start_node_id: fc.constantFrom(...list),
        nodes: fc.tuple(...list.map(nodeOf)),
        edges: nullish(edges.map((all) => all.map((each, index) => ({ id: `e${index}`, ...each })))),
      }),
    });
  })
  .map(lean);
