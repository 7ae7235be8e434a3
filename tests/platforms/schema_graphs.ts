import { type JsonObject, recordAt, records } from "../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { GraphDocument } from "../../src/document/graph/schema.ts";
import * as fc from "../fast_check.ts";
import { type Source, withOwnedSettings } from "./owned_settings.ts";
import { type Hints, marked, valuesOfSchema } from "./schema_values.ts";

const OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains", "exists", "not_exist", "~="];
const MODELS = ["gpt-4.1", "openai/gpt-4.1", "claude-4.6-sonnet", "anthropic/claude-opus-4-6", "mistral/large", "m-x"];

type Pick = Source["pick"];

/** Texts of which some refer to a variable or a snippet. */
const prose = fc.constantFrom("Text q##q.", "Text q##q for {{q##q}}.", "Text {{seen}} q##q {%common%}.");

/** Values of the keys that mean something in a certain form only. */
const HINTS: Hints = {
  state_prompt: prose,
  general_prompt: prose,
  begin_message: prose,
  description: prose,
  snippets: fc.constantFrom({ common: "Snippet q##q" }, { common: "Snippet q##q", q0q: "Snippet q##q" }),
  "global_node_setting.condition": prose,
  operator: fc.constantFrom(...OPERATORS),
  "variables_to_extract.type": fc.constantFrom("string", "number", "boolean", "enum", "q##q"),
  "tools.type": fc.constantFrom("custom", "function", "end_call", "transfer_call", "send_sms", "q##q"),
  url: fc.constant("https://acme.test/##"),
  transfer_to: fc.constantFrom("+1415555####", "sip:desk-##@acme.test", "{{q##q}}"),
  parameters: fc.constantFrom(
    { type: "object", properties: { q0q: { type: "string", description: "Text q##q" } }, required: ["q0q"] },
    { type: "object", properties: { q1q: { type: "number", minimum: "##" }, q2q: { enum: ["q##q", "q##q"] } } },
  ),
  default_dynamic_variables: fc.constantFrom({ q3q: "q##q" }, { q3q: "##", q4q: true }, { q5q: { in: "q##q" } }),
  response_variables: fc.constantFrom({ seen: "$.q##q" }, { q6q: "$.q##q.id", q7q: "$.q##q[0]" }),
  language: fc.constantFrom("en-US", "de-AT", "ka-GE", "fr", "multi"),
  voice: fc.subarray(["retell", "vapi", "other"] as const).map((names) => {
    const voices = { retell: "q##q", vapi: { provider: "11labs", voiceId: "q##q" }, other: "q##q" };
    return Object.fromEntries(names.map((name) => [name, voices[name]]));
  }),
  default_model: fc.constantFrom(...MODELS),
  source_type: fc.constantFrom("custom", "graph"),
};

/** Generates graphs from the schema of the document, each setting marked by a number of its own. */
export function schemaGraphs(schema: Parameters<typeof valuesOfSchema>[0] = GraphDocument): fc.Arbitrary<AgentGraph> {
  const { nodes, ...head } = schema.entries ?? {};
  const hints = { ...HINTS, metadata: fc.constant(undefined) };
  const node = valuesOfSchema(nodes?.value ?? {}, hints, ".nodes");
  return fc
    .record({
      head: valuesOfSchema({ ...schema, entries: head }, hints),
      nodes: fc.array(node, { minLength: 2, maxLength: 5 }),
      isOwned: fc.boolean(),
      picks: fc.array(fc.nat({ max: 999 }), { minLength: 97, maxLength: 97 }),
    })
    .map(({ head: given, nodes: list, picks, isOwned }) => {
      let count = 100;
      const numbered = list.map((each, index) => [`n${index}`, recordAt({ each }, "each")] as const);
      const document = marked({ ...recordAt({ given }, "given"), nodes: Object.fromEntries(numbered) }, () => count++);
      let at = 0;
      const pick: Pick = (items) => items[(picks[at++ % picks.length] ?? 0) % items.length];
      const graph = parseGraph(linked(recordAt({ document }, "document"), pick));
      return isOwned ? withOwnedSettings(graph, { pick, mark: () => count++ }) : graph;
    });
}

/** Makes references refer: those to nodes, and those of conditions to tools. */
function linked(document: JsonObject, pick: Pick): JsonObject {
  const all = recordAt(document, "nodes");
  const ids = Object.keys(all);
  const nodes = ids.map((id, index) => {
    const { id: _id, ...node } = recordAt(all, id);
    const tools = records(node.tools).map(({ name }) => name);
    const ways = records(node.transitions).map((transition) => ({
      ...transition,
      target_node_id: pick(ids),
      condition: conditionOf(recordAt(transition, "condition"), tools),
    }));
    const next = ids[index + 1];
    const onward = {
      target_node_id: next,
      condition: { type: "llm_prompt", value: `Caller wants ${next}` },
    };
    const isLed = next !== undefined && node.node_type !== "end" && !ways.some((way) => way.target_node_id === next);
    return [id, { ...node, transitions: isLed ? [onward, ...ways] : ways }];
  });
  return { ...document, entry_node_id: "n0", nodes: Object.fromEntries(nodes) };

  function conditionOf(condition: JsonObject, tools: readonly unknown[]): JsonObject {
    return condition.type === "tool_call" ? { ...condition, value: pick([...tools, ""]) } : condition;
  }
}
