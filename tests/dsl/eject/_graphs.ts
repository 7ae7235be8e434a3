import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";

type Json = { readonly [key: string]: unknown };

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character but surrogates, as fast-check's own `unit: "binary"`, which makes a table of all 1.1 million of them. */
const characters = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const [only = "", ...others] = typeof character === "string" ? character : [];
    if (others.length > 0 || /\p{Cs}/u.test(only)) throw new TypeError("not one character");
    const code = only.codePointAt(0) ?? -1;
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

/** Texts that are hard to write as code, and texts that name variables, snippets and the environment. */
export const texts = fc.oneof(
  fc.constantFrom(
    "Greet {{name}}.",
    "Say {%hours%} and {{ zip code | upcase }}.",
    'Ask: "What\'s {{customer.name}}?"',
    "`$\u007bname}` \\ \\$\u007bx} \\u0041",
    "one\ntwo  \nthree\r\nfour\r",
    "a\u2028b\u2029c\ufeff\u0000\u001b[31m",
    "lone \ud800 surrogate, 😀, ⚠️, שלום\u202e",
    "{{{name}}} {{a{b}} {% if x %}y{% endif %} {%unknown%} {{env:SECRET}} {{}} {{ }}",
    "",
    " ",
    `${"A long prompt with a lot to say. ".repeat(30)}`,
    Array.from({ length: 14 }, (_, line) => `- line ${line} of {{name}}`).join("\n"),
  ),
  fc.string({ unit: characters, maxLength: 30 }),
);
const names = fc.constantFrom("name", "intent", "__proto__", "constructor", "zip code", "class", "größe", "7", "env:X");
const ids = fc.constantFrom(
  ...[
    "greet",
    "bye",
    "class",
    "__proto__",
    "constructor",
    "look up",
    "1a",
    "42",
    "node-1774923921749",
    "ü 😀",
    "a -> b",
  ],
  ...["to", "`$\u007bx}`", 'say "hi"', "\ud800"],
);
const scrap = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    1.5,
    -0.1,
    1e21,
    "x",
    [],
    {},
    [1, 2, 3],
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
    { "x-y": [null], __proto: 1 },
  ],
);

/** Some of the keys, and now and then one that nobody knows. */
function some(keys: { readonly [key: string]: fc.Arbitrary<unknown> }, always: readonly string[]): fc.Arbitrary<Json> {
  const entries = Object.entries(keys).map(([key, value]) =>
    always.includes(key)
      ? value.map((item) => [[key, item] as const])
      : fc.option(value, { freq: 2, nil: undefined }).map((item) => (item === undefined ? [] : [[key, item] as const])),
  );
  const unknown = fc.option(fc.tuple(fc.constantFrom("x_new", "__proto__", "x-y"), scrap), { freq: 8, nil: undefined });
  return fc
    .tuple(fc.tuple(...entries), unknown)
    .map(([known, other]) => Object.fromEntries([...known.flat(), ...(other ? [other] : [])]));
}

const orNull = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 9, arbitrary: value }, fc.constant(null));
const clause = some(
  {
    left: names,
    operator: fc.constantFrom("==", "!=", ">", "contains", "exists", "not_exist", "~"),
    right: fc.constantFrom<unknown>("book", "5", 5, true, "name", "{{intent}}", null),
  },
  ["left", "operator"],
);
const condition = fc.oneof(
  { weight: 5, arbitrary: texts.map((value): Json => ({ type: "llm_prompt", value })) },
  {
    weight: 4,
    arbitrary: some(
      {
        equations: fc.array(clause, { minLength: 1, maxLength: 4 }),
        logical_operator: orNull(fc.constantFrom("and", "or")),
        value: fc.constantFrom("", "name is known"),
      },
      ["equations"],
    ).map((rest): Json => ({ type: "equation", ...rest })),
  },
  fc.constant<Json>({ type: "always" }),
  fc.constantFrom<Json>(
    { type: "tool_call", outcome: "failed" },
    { type: "tool_call", outcome: "succeeded" },
    { type: "tool_call", value: "look_up" },
  ),
);
const metadata = some(
  {
    retell: orNull(
      some(
        {
          id: fc.constant("edge-1"),
          name: texts,
          display_position: fc.constantFrom<unknown>({ x: 1, y: 2 }, {}),
          x: scrap,
        },
        [],
      ),
    ),
    vapi: orNull(some({ name: fc.constant("Anna"), tools: scrap }, [])),
    bland: scrap,
  },
  [],
);
const tool = some(
  {
    name: fc.constantFrom("look_up", "book", "class", "__proto__", " "),
    description: texts,
    parameters: orNull(
      fc.constantFrom<unknown>(
        {},
        { type: "object", properties: { id: { type: "string", enum: ["a", "b"] } }, required: ["id"] },
      ),
    ),
    type: orNull(fc.constantFrom("custom", "end_call")),
    url: orNull(fc.constant("https://example.com/look-up")),
    tool_id: fc.constant("tool_1"),
    response_variables: orNull(fc.constantFrom<unknown>({}, { name: "$.name" }, JSON.parse('{"__proto__": "$.x"}'))),
    metadata,
  },
  ["name"],
);
const variable = some(
  {
    name: names,
    description: texts,
    type: fc.constantFrom("string", "number", "boolean", "enum", "date"),
    choices: orNull(fc.constantFrom<unknown>([], ["book", "cancel"], ["a", "a"], ["it's", 'say "hi"'])),
    metadata,
  },
  ["name"],
);

function node(targets: readonly string[]) {
  const transition = some(
    {
      target_node_id: fc.constantFrom(...targets),
      condition,
      description: orNull(texts),
      timing: orNull(fc.constantFrom("else", "skip_response", "after_speech")),
      metadata: orNull(metadata),
    },
    ["target_node_id", "condition"],
  );
  const global = some(
    {
      condition: texts,
      go_back_conditions: fc.array(some({ id: fc.constantFrom("back_0", "back_1", "g"), condition }, ["condition"]), {
        maxLength: 3,
      }),
      metadata,
    },
    [],
  );
  return some(
    {
      node_type: fc.constantFrom("conversation", "conversation", "logic", "extract", "end", "transfer", "function"),
      state_prompt: texts,
      instruction_type: orNull(fc.constantFrom("prompt", "static_text")),
      tools: fc.array(tool, { maxLength: 2 }),
      transitions: fc.array(transition, { maxLength: 4 }),
      variables_to_extract: fc.array(variable, { maxLength: 3 }),
      global_node_setting: orNull(global),
      transfer_to: orNull(fc.constantFrom("+14155550100", "sip:a@b.example", "{{name}}", "0800", "SIP:x")),
      metadata,
    },
    [],
  );
}

/** AgentGraph documents with everything that is hard to write as code. */
export const graphs: fc.Arbitrary<AgentGraph> = fc.uniqueArray(ids, { minLength: 1, maxLength: 5 }).chain((chosen) =>
  fc
    .tuple(
      fc.tuple(...chosen.map(() => node(chosen))),
      fc.constantFrom(...chosen),
      some(
        {
          source_type: fc.constantFrom("custom", "retell"),
          source_metadata: some(
            {
              name: orNull(fc.constantFrom("help desk", " ", "class", "größe `x`")),
              general_prompt: orNull(texts),
              begin_message: orNull(texts),
              start_speaker: orNull(fc.constantFrom("agent", "user")),
              language: orNull(fc.constantFrom("de-DE", "multi", "Deutsch (DE)")),
              voice: orNull(fc.constantFrom<unknown>({ retell: "11labs-Adrian" }, { vapi: { provider: "x" } }, {})),
              default_dynamic_variables: orNull(
                fc.constantFrom<unknown>({ name: "Anna", intent: "book" }, { name: 5, intent: null }, {}),
              ),
              retell: orNull(some({ model_temperature: fc.constantFrom<unknown>(0.3, "hot"), version: scrap }, [])),
              original: orNull(
                fc.record({ format: fc.constant("retell"), text: fc.oneof(texts, fc.constant('{\r\n"a": 1}')) }),
              ),
              callweave: scrap,
            },
            [],
          ),
          snippets: fc.dictionary(fc.constantFrom("hours", "__proto__", "class"), texts),
          default_model: orNull(fc.constantFrom("", "gpt-4.1")),
        },
        [],
      ),
    )
    .map(([nodes, entry_node_id, head]) => {
      const byId = Object.fromEntries(nodes.map((each, index) => [chosen[index] ?? "", each]));
      return parseGraph({ ...head, entry_node_id, nodes: byId });
    }),
);
