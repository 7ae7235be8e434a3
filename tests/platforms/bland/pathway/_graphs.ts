import { parseGraph } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";

const IDS = ["a", "b", "route_a", "else_a", "route_b", "__proto__", "end-1"];
const text = fc.constantFrom("Greet {{name}}.", "Ask why.", "One of: a, b", "Say so.\nThen stop.");
const clause = fc.record({
  left: fc.constantFrom("name", "intent"),
  operator: fc.constantFrom("==", "!=", ">", "contains", "not_contains", "exists", "not_exist"),
  right: fc.constantFrom("a", "5", "null"),
});
const equation = fc.tuple(fc.array(clause, { minLength: 1, maxLength: 2 }), fc.boolean()).map(([equations, or]) => ({
  type: "equation",
  value: "",
  equations: equations.map(({ right, ...rest }) => (/exist/.test(rest.operator) ? rest : { ...rest, right })),
  ...(or ? { logical_operator: "or" } : {}),
}));
const condition = fc.oneof(
  text.map((value) => ({ type: "llm_prompt", value })),
  equation,
  fc.constant({ type: "always", value: "" }),
  fc
    .constantFrom("succeeded", "failed", undefined)
    .map((outcome) => ({ type: "tool_call", value: "", ...(outcome ? { outcome } : {}) })),
);
const transition = fc.record({
  target_node_id: fc.constantFrom(...IDS),
  condition,
  timing: fc.constantFrom(undefined, "else", "skip_response"),
  description: fc.constantFrom(undefined, "Only then"),
});
const variable = fc.record({
  name: fc.constantFrom("name", "intent"),
  description: text,
  type: fc.constantFrom("string", "number", "boolean", "integer", "enum"),
  choices: fc.constantFrom(undefined, ["red", "dark blue"], ["a, b"]),
});
const tool = fc.record({
  name: fc.constantFrom("book", "look_up"),
  description: fc.constantFrom("", "Books a table"),
  type: fc.constant("custom"),
  url: fc.constantFrom(undefined, "https://example.test/hook"),
  parameters: fc.constantFrom(undefined, {
    type: "object",
    properties: { day: { type: "string" } },
    required: ["day"],
  }),
  response_variables: fc.constantFrom(undefined, { status: "$.status" }),
});
const node = fc.record({
  node_type: fc.constantFrom("conversation", "conversation", "logic", "extract", "function", "transfer", "end"),
  state_prompt: fc.oneof(text, fc.constant("")),
  instruction_type: fc.constantFrom(undefined, "static_text"),
  tools: fc.array(tool, { maxLength: 2 }),
  transitions: fc.array(transition, { maxLength: 4 }),
  variables_to_extract: fc.uniqueArray(variable, { maxLength: 2, selector: ({ name }) => name }),
  global_node_setting: fc.constantFrom(undefined, undefined, {
    condition: "Caller insists\nOnly then",
    go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Always" } }],
  }),
});
/** Graphs with every construct, whose ids are those of parts of nodes, too. */
export const lawGraphs = fc
  .tuple(fc.array(node, { minLength: IDS.length, maxLength: IDS.length }), fc.constantFrom(...IDS), fc.boolean())
  .map(([nodes, entry, hasPrompt]) =>
    parseGraph(
      JSON.parse(
        JSON.stringify({
          nodes: Object.fromEntries(IDS.map((id, index) => [id, { id, ...nodes[index] }])),
          entry_node_id: entry,
          source_metadata: { name: "n", ...(hasPrompt ? { general_prompt: "Be kind." } : {}) },
        }),
      ),
    ),
  );
