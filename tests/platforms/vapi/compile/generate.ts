import * as fc from "fast-check";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { always, equal, graphOf, json, told } from "./graphs.ts";

const ids = ["a", "b", "c", "d", "e"] as const;
const target = fc.constantFrom(...ids);
const transition = fc.oneof(
  fc.tuple(target, fc.string()).map(([id, text]) => told(id, text)),
  fc.tuple(target, fc.constantFrom("x", "y"), fc.string()).map(([id, left, right]) => equal(id, left, right)),
  fc.tuple(target, fc.constantFrom(undefined, "else", "skip_response")).map(([id, timing]) => always(id, timing)),
);
const node = fc.record({
  node_type: fc.constantFrom("conversation", "logic", "extract", "function", "end", "transfer"),
  state_prompt: fc.oneof(
    fc.string(),
    fc.constantFrom("Say {{x}}.", "{%bye%}", "# How to go on\n- no", "\n\n# How to go on\n"),
  ),
  instruction_type: fc.constantFrom("prompt", "static_text"),
  transitions: fc.array(transition, { maxLength: 3 }),
  variables_to_extract: fc.constantFrom([], [{ name: "x", description: "", type: "string" }]),
  tools: fc.constantFrom(
    [],
    [{ name: "f", description: "F", url: "https://example.com/f", response_variables: { y: "$.y" } }],
  ),
  global_node_setting: fc.constantFrom(undefined, undefined, {
    condition: "help",
    go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "ok" } }],
  }),
});
const nodes = fc
  .tuple(node, node, node, node, node)
  .map((list) => Object.fromEntries(ids.map((id, i) => [id, { ...list[i] }])));
const head = fc.record({
  snippets: fc.constantFrom({}, { bye: "Bye {{x}}." }),
  source_metadata: fc.constantFrom(
    {},
    { general_prompt: "Be kind." },
    { begin_message: "", default_dynamic_variables: { x: "1" } },
  ),
});
/** Generates graphs of five nodes of any type, with random transitions of any kind. */
export const graphs = fc
  .tuple(nodes, head)
  .map(([each, rest]) => graphOf(json(each) as { [id: string]: JsonObject }, rest)); // made of records above
