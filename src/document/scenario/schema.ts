import * as v from "valibot";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { END_REASONS } from "../transcript/mod.ts";

const texts = v.array(v.string());
const milliseconds = v.pipe(v.number(), v.gtValue(0));
// valibot's objects accept lists
const values = v.custom<JsonObject>(
  isRecord,
  ({ received }) => `Invalid type: Expected Object but received ${received}`,
);
const record = v.nullish(values);
// a criterion with threshold 0 could never fail
const threshold = v.pipe(v.number(), v.gtValue(0), v.maxValue(1));
const panel = v.pipe(v.number(), v.integer(), v.minValue(1));
const MetricObject = v.looseObject({
  criterion: v.string(),
  threshold: v.nullish(threshold),
  panel: described("Number of judges, of whom more than half must pass the criterion. Default: 1", panel),
});
const MetricDocument = v.lazy((metric) => (typeof metric === "string" ? v.string() : MetricObject));
const CallDocument = v.looseObject({ tool: v.string(), args: record });
const AnyRule = v.looseObject({ type: v.literal("any") });
const PartialRule = v.looseObject({ type: v.literal("partial_match"), args: values });
const MockDocument = v.looseObject({
  tool_name: v.string(),
  input_match_rule: described(
    "Arguments that the mock answers. Default: any",
    v.variant("type", [AnyRule, PartialRule]),
  ),
  output: v.pipe(v.optional(v.unknown()), v.description("The tool's result: a text, or any JSON")),
  result: described("Whether the call succeeds. Default: true", v.boolean()),
  delay_ms: described("Delay of the answer in milliseconds", v.pipe(v.number(), v.minValue(0))),
  times: described(
    "Number of calls that the mock answers. Default: all",
    v.pipe(v.number(), v.integer(), v.minValue(1)),
  ),
});

const MoveDocument = v.looseObject({ to: v.nullable(v.string()), complete: v.nullish(v.boolean()) });
const ValuesDocument = v.record(v.string(), v.string());
const TurnDocument = v.looseObject({
  says: described("The caller's line; absent in the opening", v.string()),
  moves: described("The nodes that the model picks, in order; null: none", v.array(MoveDocument)),
  extracts: described("Values for each time that variables are extracted", v.array(ValuesDocument)),
  tools: described("Tools that the model calls in its replies, in order", texts),
});

const rate = v.pipe(v.number(), v.gtValue(0), v.maxValue(1));
const MinPassRate = v.strictObject({ min_pass_rate: rate });
const PassAll = v.strictObject({ pass_all: v.literal(true) });
const PassAny = v.strictObject({ pass_any: v.literal(true) });
const GATES = "{ pass_all: true }, { pass_any: true } or { min_pass_rate: 0.9 }";
const GateDocument = v.union([MinPassRate, PassAll, PassAny], `Expected ${GATES}`);

/** A scenario without aliases. */
export const ScenarioDocument = v.looseObject({
  name: v.pipe(v.string(), v.nonEmpty(), v.description("Name of the scenario, unique among all scenarios")),
  user_prompt: described("Persona of the simulated caller", v.string()),
  says: described("The caller's first lines, verbatim", texts),
  dynamic_variables: described("Values of variables at the start of the call", values),
  tool_mocks: described("Answers of tools", v.array(MockDocument)),
  type: described("A label: all expectations apply", v.picklist(["llm", "rule", "simulation", "unit"])),
  metrics: described("Criteria for the judge", v.array(MetricDocument)),
  includes: described("Texts that the agent must say, ignoring case", texts),
  excludes: described("Texts that the agent must not say, ignoring case", texts),
  patterns: described("RE2 expressions or globs; each must match a message of the agent", texts),
  visits: described("Nodes that must be visited in this order, possibly with others in between", texts),
  avoids: described("Nodes that must not be visited", texts),
  ends: described("How the call must end", v.picklist(END_REASONS)),
  extracts: described("Final values of variables", values),
  calls: described("Tool calls that must happen, with at least these arguments", v.array(CallDocument)),
  answers_within_ms: described("Maximum milliseconds until the agent's first word, in every turn", milliseconds),
  checks: described("Names of check functions, which only code can add", texts),
  tags: described("Tags that select scenarios for a run", texts),
  llm_model: described("Model of the agent, such as openai/gpt-5-mini", v.string()),
  repeat: described("Number of calls in a run", v.pipe(v.number(), v.integer(), v.minValue(1))),
  gate: described("When repeated calls pass: all (the default), any, or a share of them", GateDocument),
  max_turns: described("Caller turns after which the call ends", v.pipe(v.number(), v.integer(), v.minValue(1))),
  offline_path: described("The path that the offline model follows as agent and caller", v.array(TurnDocument)),
});

/** The objects of a scenario, for its JSON Schema. */
export const SCENARIO_OBJECTS = {
  MetricObject,
  CallDocument,
  AnyRule,
  PartialRule,
  MockDocument,
  MoveDocument,
  TurnDocument,
  MetricDocument,
  GateDocument,
  MinPassRate,
  PassAll,
  PassAny,
};

/** An optional key, with the text that editors show. */
function described<const Schema extends v.GenericSchema>(text: string, schema: Schema) {
  return v.pipe(v.nullish(schema), v.description(text));
}

/** Keys of a scenario and of the objects in its lists. */
export const SCENARIO_KEYS = {
  scenario: Object.keys(ScenarioDocument.entries),
  metric: Object.keys(MetricObject.entries),
  mock: Object.keys(MockDocument.entries),
  call: Object.keys(CallDocument.entries),
  turn: Object.keys(TurnDocument.entries),
  move: Object.keys(MoveDocument.entries),
} as const satisfies { readonly [object: string]: readonly string[] };
