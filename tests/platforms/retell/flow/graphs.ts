import fc from "fast-check";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

type Json = { readonly [key: string]: unknown };

const text = fc.constantFrom("Greet {{name}}.", "Ask why.", "Say {%hours%}", "x");
const word = fc.constantFrom("name", "intent", "__proto__", "constructor", "7", "12", "zip code");

/** Generates objects with some of the keys. */
function some(keys: { readonly [key: string]: fc.Arbitrary<unknown> }, always: readonly string[]): fc.Arbitrary<Json> {
  const entries = Object.entries(keys).map(([key, value]) =>
    always.includes(key)
      ? value.map((item) => [[key, item] as const])
      : fc.option(value, { freq: 2 }).map((item) => (item === null ? [] : [[key, item] as const])),
  );
  return fc.tuple(...entries).map((known) => Object.fromEntries(known.flat()));
}

const clause = some(
  {
    left: fc.constantFrom("name", "intent"),
    operator: fc.constantFrom("==", "!=", "contains", "exists", "not_exist"),
    right: fc.constantFrom("a", "5"),
  },
  ["left", "operator"],
);

const equation = fc.tuple(fc.array(clause, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([equations, or]) => ({
  type: "equation",
  value: "",
  equations,
  ...(or ? { logical_operator: "or" } : equations.length > 1 ? { logical_operator: "and" } : {}),
}));
const llm = text.map((value) => ({ type: "llm_prompt", value }));
const always = fc.constant({ type: "always", value: "" });
const outcome = fc.constantFrom("succeeded", "failed", undefined).map((result) => ({
  type: "tool_call",
  value: "",
  ...(result ? { outcome: result } : {}),
}));

function transition(ids: readonly string[]): fc.Arbitrary<Json> {
  return some(
    {
      target_node_id: fc.constantFrom(...ids),
      condition: fc.oneof({ weight: 6, arbitrary: llm }, { weight: 4, arbitrary: equation }, always, outcome),
      timing: fc.constantFrom("else", "skip_response"),
    },
    ["target_node_id", "condition"],
  );
}

const tool = some(
  {
    name: fc.constantFrom("book", "look_up", "book"),
    description: text,
    type: fc.constantFrom(
      "custom",
      "custom",
      "end_call",
      "transfer_call",
      "function",
      "press_digit",
      "code",
      "send_sms",
      "mcp",
    ),
    url: fc.constant("https://example.test/hook"),
    parameters: fc.constantFrom(
      { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      { type: "object", properties: {} },
    ),
    response_variables: fc.constant({ status: "$.status" }),
  },
  ["name", "description", "type", "url"],
);

const variable = some(
  { name: word, description: text, type: fc.constantFrom("string", "number", "boolean"), choices: fc.constant([]) },
  ["name", "description", "type"],
);

function node(id: string, ids: readonly string[]): fc.Arbitrary<Json> {
  return some(
    {
      id: fc.constant(id),
      node_type: fc.constantFrom("conversation", "conversation", "logic", "extract", "end", "transfer", "function"),
      state_prompt: text,
      instruction_type: fc.constant("static_text"),
      tools: fc.array(tool, { minLength: 1, maxLength: 2 }),
      transitions: fc.array(transition(ids), { maxLength: 4 }),
      variables_to_extract: fc.array(variable, { maxLength: 2 }),
      global_node_setting: some(
        {
          condition: text,
          go_back_conditions: fc.tuple(fc.record({ id: fc.constant("back"), condition: fc.oneof(llm, equation) })),
        },
        ["condition"],
      ),
    },
    ["id", "node_type"],
  );
}

const setting = some(
  {
    condition: text,
    go_back_conditions: fc.tuple(fc.record({ id: fc.constant("back"), condition: fc.oneof(llm, equation) })),
  },
  ["condition"],
);

const custom = some(
  {
    name: fc.constantFrom("book", "look_up"),
    description: text,
    type: fc.constant("custom"),
    url: fc.constant("https://example.test/hook"),
    parameters: fc.constant({ type: "object", properties: { day: { type: "string" } }, required: ["day"] }),
    response_variables: fc.constant({ status: "$.status" }),
  },
  ["name", "description", "type", "url"],
);

/** Generates nodes that Retell supports without losses. */
function heldNode(id: string, ids: readonly string[]): fc.Arbitrary<Json> {
  const to = fc.constantFrom(...ids);
  const chosen = fc.array(fc.record({ target_node_id: to, condition: fc.oneof(llm, equation) }), { maxLength: 4 });
  const timings: readonly Json[] = [{ timing: "else" }, {}, { timing: "skip_response" }];
  const last = (kinds: readonly Json[]) =>
    fc
      .tuple(fc.subarray([...kinds]), to)
      .map(([some, target_node_id]) =>
        some.map((kind) => ({ target_node_id, condition: { type: "always", value: "" }, ...kind })),
      );
  const routes = fc.tuple(chosen, last([{}])).map((lists) => lists.flat());
  const failed = fc.array(
    to.map((target_node_id) => ({ target_node_id, condition: { type: "tool_call", value: "", outcome: "failed" } })),
    { maxLength: 1 },
  );
  const said = some({ state_prompt: text, instruction_type: fc.constant("static_text") }, []);
  const shapes: readonly fc.Arbitrary<Json>[] = [
    fc
      .record({ said, transitions: fc.tuple(chosen, last(timings)).map((lists) => lists.flat()) })
      .map(flat("conversation")),
    fc
      .record({
        said: some({ state_prompt: text }, []),
        tools: fc.array(custom, { maxLength: 2 }),
        transitions: routes.map((list) => list.filter(({ condition }) => condition.type !== "always")),
      })
      .map(flat("conversation")),
    fc.record({ transitions: routes }).map(flat("logic")),
    fc.record({ transitions: routes, variables_to_extract: fc.array(variable, { maxLength: 2 }) }).map(flat("extract")),
    fc.record({ said, transitions: routes, tools: fc.tuple(custom) }).map(flat("function")),
    fc.record({ said, transitions: failed }).map(flat("transfer")),
    fc.record({ said }).map(flat("end")),
  ];
  const rest = some({ global_node_setting: setting }, []);
  return fc.tuple(fc.oneof(...shapes), rest).map(([shape, more]) => ({ id, ...shape, ...more }));
}

function flat(node_type: string) {
  return ({ said, ...shape }: { readonly said?: Json; readonly [key: string]: unknown }): Json => ({
    node_type,
    ...said,
    ...shape,
  });
}

/** Generates graphs from code. With `held`, Retell supports them without losses. */
export function graphs(held = false): fc.Arbitrary<AgentGraph> {
  const ids = fc.uniqueArray(fc.oneof(word, fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 6 });
  return ids.chain((list) =>
    some(
      {
        nodes: fc
          .tuple(...list.map((id) => (held ? heldNode(id, list) : node(id, list))))
          .map((nodes) => Object.fromEntries(nodes.map((each) => [each.id, each]))),
        entry_node_id: fc.constantFrom(...list),
        source_type: fc.constantFrom("custom", "vapi-squad"),
        source_metadata: some(
          {
            general_prompt: text,
            start_speaker: fc.constantFrom("agent", "user"),
            begin_message: fc.constantFrom("", held ? "" : "Hello, this is Ada."),
            default_dynamic_variables: fc.constantFrom({ name: "Ada" }, { count: 3 }),
          },
          [],
        ),
        snippets: fc.constant(held ? {} : { hours: "nine to five" }),
        default_model: fc.constantFrom("gpt-4.1", "openai/gpt-4.1-mini"),
      },
      ["nodes", "entry_node_id", "source_type"],
    ).map((graph) => parseGraph(graph)),
  );
}
