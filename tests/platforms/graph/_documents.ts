import fc from "fast-check";

const names = fc.constantFrom("greet", "ask", "bye", "__proto__", "constructor", "toString", "a.b", "", "ü 😀");
const text = fc.oneof(fc.string(), fc.constantFrom("", "Say {{name}}", "null"));
const scrap = fc.oneof(fc.boolean(), fc.integer(), text, fc.constant(null), fc.constant([]), fc.constant({}));

/** Generates objects with keys that may be absent, `null` or present, and sometimes an unknown key. */
function record(keys: { readonly [key: string]: fc.Arbitrary<unknown> }, required: readonly string[] = []) {
  const given = Object.fromEntries(
    Object.entries(keys).map(([key, value]) => [
      key,
      required.includes(key)
        ? value
        : fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
    ]),
  );
  return fc
    .tuple(
      fc.record(given, { requiredKeys: [...required] }),
      fc.option(fc.tuple(fc.constantFrom("x_new", "__proto__"), scrap)),
    )
    .map(([known, unknown]) => Object.fromEntries([...Object.entries(known), ...(unknown ? [unknown] : [])]));
}

const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 3 });
const clause = record({ left: names, operator: fc.constantFrom("==", "exists", "~"), right: text }, [
  "left",
  "operator",
]);
const condition = record(
  {
    type: fc.constantFrom("llm_prompt", "equation", "tool_call", "always"),
    value: text,
    equations: list(clause),
    logical_operator: fc.constantFrom("and", "or"),
    outcome: fc.constantFrom("succeeded", "failed"),
  },
  ["type"],
);
const metadata = record({ retell: scrap, voicetest: scrap });

function node(ids: readonly string[]) {
  const transition = record(
    { target_node_id: fc.constantFrom(...ids), condition, description: text, timing: fc.constant("else"), metadata },
    ["target_node_id", "condition"],
  );
  return record({
    node_type: fc.constantFrom("conversation", "logic", "extract", "end", "transfer", "function"),
    state_prompt: text,
    instruction_type: fc.constant("static_text"),
    tools: list(record({ name: names, description: text, parameters: record({}), url: text }, ["name"])),
    transitions: list(transition),
    variables_to_extract: list(record({ name: names, description: text, type: text, choices: list(text) }, ["name"])),
    global_node_setting: record({
      condition: text,
      go_back_conditions: list(record({ id: text, condition }, ["condition"])),
    }),
    metadata,
  });
}

/** Generates AgentGraph documents with any combination of optional keys missing. */
export const documents = fc.uniqueArray(names, { minLength: 1, maxLength: 4 }).chain((ids) =>
  fc
    .tuple(
      fc.tuple(...ids.map(() => node(ids))),
      fc.tuple(...ids.map(() => fc.constantFrom("own", "null", "absent"))),
      fc.constantFrom(...ids),
      record({
        source_type: fc.constantFrom("custom", "retell"),
        source_metadata: record({
          general_prompt: text,
          begin_message: text,
          voicetest: fc.oneof(scrap, fc.constant({ absent: [["nodes"]], null: [] })),
        }),
        snippets: fc.dictionary(fc.constantFrom("tone", "__proto__"), text),
        default_model: text,
      }),
    )
    .map(([nodes, kinds, entry_node_id, head]) => {
      const identified = nodes.map((value, index) => {
        const id = ids[index] ?? "";
        const own = { own: { id }, null: { id: null }, absent: {} }[kinds[index] ?? "absent"];
        return [id, { ...own, ...value }] as const;
      });
      return Object.fromEntries([
        ...Object.entries(head),
        ["entry_node_id", entry_node_id],
        ["nodes", Object.fromEntries(identified)],
      ]);
    }),
);
