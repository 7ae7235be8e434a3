import fc from "fast-check";

type Json = { readonly [key: string]: unknown };

const text = fc.oneof(fc.constantFrom("", "Hi", "Ask {{name}}", "Else", "x"), fc.string({ maxLength: 8 }));
const word = fc.constantFrom("a", "b", "name", "__proto__", "constructor", "7", "12", "z z");
const foreignValue = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), text, fc.jsonValue({ maxDepth: 2 }));

/** Generates objects with some of the keys, and sometimes with unknown keys or unexpected values. */
function loose(
  keys: { readonly [key: string]: fc.Arbitrary<unknown> },
  required: readonly string[] = [],
): fc.Arbitrary<Json> {
  const optional = Object.entries(keys).map(([key, value]) => {
    const present = fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: foreignValue });
    if (required.includes(key)) return value.map((item) => [[key, item] as const]);
    return fc.option(present, { freq: 3 }).map((item) => (item === null ? [] : [[key, item] as const]));
  });
  const names = fc.constantFrom("is_start", "label", "lens", "agent", "metadata", "__proto__", "destination", "timing");
  const extra = fc.array(fc.tuple(names, foreignValue), { maxLength: 1 });
  return fc.tuple(fc.tuple(...optional), extra).map(([known, more]) => Object.fromEntries([...known.flat(), ...more]));
}

const clause = fc.oneof(
  {
    weight: 8,
    arbitrary: loose({
      left: fc.oneof(
        word,
        word.map((name) => `{{${name}}}`),
        word.map((name) => `{{ ${name} }}`),
      ),
      operator: fc.constantFrom("==", "!=", ">", "exists", "contains", "~"),
      right: fc.oneof(text, fc.integer()),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('{{a}} == "found"', "a exists", "nonsense", "a > 5") },
);

const prompt = loose({ type: fc.constant("prompt"), prompt: text });
const condition = fc.oneof(
  { weight: 5, arbitrary: prompt },
  {
    weight: 4,
    arbitrary: loose({
      type: fc.constant("equation"),
      equations: fc.array(clause, { maxLength: 3 }),
      operator: fc.constantFrom("&&", "||"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("equation"),
      left_side: word,
      operator: fc.constant("=="),
      right_side: text,
    }),
  },
);

function edge(ids: readonly string[], literal?: string): fc.Arbitrary<unknown> {
  const target = fc.constantFrom(...ids, ...ids, "nowhere");
  const plain =
    literal === undefined ? condition : fc.oneof(fc.constant({ type: "prompt", prompt: literal }), condition);
  const shape = loose({
    id: fc.oneof(fc.uuid(), word),
    transition_condition: plain,
    destination_node_id: target,
    condition: text,
  });
  return fc.oneof({ weight: 20, arbitrary: shape }, { weight: 1, arbitrary: foreignValue });
}

const instruction = loose({ type: fc.constantFrom("prompt", "static_text", "template"), text }, []);
const variable = loose({
  name: word,
  type: fc.constantFrom("string", "enum", "number", "boolean", "date"),
  description: text,
  choices: fc.array(text, { maxLength: 2 }),
  examples: fc.array(text, { maxLength: 2 }),
  required: fc.boolean(),
});
const toolIds = ["tool-a", "tool-b", ""];
const tool = loose({
  name: word,
  type: fc.constantFrom("custom", "check_availability_cal", "end_call", "strange"),
  tool_id: fc.constantFrom(...toolIds),
  url: text,
  description: text,
  parameters: fc.constant({ type: "object", properties: { x: { type: "string" } } }),
  headers: fc.constant({ Authorization: "Bearer x" }),
  response_variables: fc.constant({ status: "$.status" }),
});

const TYPES = [
  ...["conversation", "subagent", "function", "code", "branch", "extract_dynamic_variables", "transfer_call", "sms"],
  ...[
    "press_digit",
    "agent_swap",
    "mcp",
    "component",
    "component",
    "component",
    "bridge_transfer",
    "cancel_transfer",
    "end",
    "holodeck",
  ],
];

function node(id: string, ids: readonly string[]): fc.Arbitrary<Json> {
  return loose(
    {
      id: fc.constant(id),
      type: fc.constantFrom<unknown>(...TYPES, ["mcp"]),
      name: text,
      instruction,
      edges: fc.array(edge(ids), { maxLength: 4 }),
      else_edge: edge(ids, "Else"),
      always_edge: edge(ids, "Always"),
      skip_response_edge: edge(ids, "Skip response"),
      edge: edge(ids, "Transfer failed"),
      success_edge: edge(ids, "Sent successfully"),
      failed_edge: edge(ids, "Failed to send"),
      variables: fc.array(variable, { maxLength: 3 }),
      tool_id: fc.constantFrom(...toolIds, "elsewhere"),
      component_id: fc.constantFrom("part-1", "part-2", "part-3"),
      component_type: fc.constantFrom("local", "local", "shared"),
      tool_ids: fc.array(fc.constantFrom(...toolIds, "elsewhere"), { maxLength: 2 }),
      tools: fc.array(tool, { maxLength: 2 }),
      mcp_tool_name: text,
      response_variables: fc.constantFrom({ a: "$.a" }, {}, { a: 1 }),
      speak_during_execution: fc.boolean(),
      display_position: fc.constant({ x: 1, y: 2 }),
      global_node_setting: loose({
        condition: text,
        cool_down: fc.integer(),
        go_back_conditions: fc.array(loose({ id: fc.constantFrom("g", "h"), transition_condition: condition }), {
          maxLength: 2,
        }),
      }),
    },
    ["id"],
  );
}

/** Generates a list of nodes with the given ids. */
function nodeList(most: number): fc.Arbitrary<readonly [readonly string[], readonly Json[]]> {
  const ids = fc.uniqueArray(fc.oneof(word, fc.string({ maxLength: 4 })), { minLength: 1, maxLength: most });
  return ids.chain((list) => fc.tuple(fc.constant(list), fc.tuple(...list.map((id) => node(id, list)))));
}

const component = nodeList(3).chain(([ids, nodes]) =>
  loose(
    {
      nodes: fc.constant(nodes),
      conversation_flow_component_id: fc.constantFrom("part-1", "part-2"),
      name: fc.constantFrom("part-1", "part-3"),
      start_node_id: fc.constantFrom(...ids),
      tools: fc.array(tool, { maxLength: 2 }),
      notes: fc.constant([]),
    },
    ["name"],
  ),
);

function flow(): fc.Arbitrary<Json> {
  return nodeList(5).chain(([ids, nodes]) =>
    loose(
      {
        nodes: fc.constant(nodes),
        start_node_id: fc.constantFrom(...ids, "nowhere"),
        start_speaker: fc.constantFrom("agent", "user"),
        global_prompt: text,
        model_choice: loose({ type: fc.constant("cascading"), model: text, high_priority: fc.boolean() }),
        model_temperature: fc.double({ min: 0, max: 1 }),
        default_dynamic_variables: fc.constant({ a: "1" }),
        tools: fc.array(tool, { maxLength: 4 }),
        components: fc.array(component, { maxLength: 3 }),
        notes: fc.constant([]),
        conversation_flow_id: text,
        version: fc.integer(),
      },
      ["nodes"],
    ),
  );
}

/** Generates conversation flows of any valid shape, and of some invalid ones, in all containers. */
export function documents(): fc.Arbitrary<unknown> {
  return fc.oneof(
    flow().map((body) => ({ ...body, start_node_id: body.start_node_id ?? "x" })),
    flow().map((body) => ({ agent_id: "", voice_id: "v", agent: 5, conversationFlow: body })),
    flow().map((body) => [{ agent: { agent_id: "a" }, conversation_flow: body, created: "today" }]),
    flow().map((body) => ({ ...body, conversation_flow_component_id: "c", name: "Part" })),
  );
}
