import * as v from "valibot";
import { END_REASONS } from "../transcript/mod.ts";
import { isRecord, type JsonObject } from "../values/mod.ts";

const texts = v.nullish(v.array(v.string()));
// valibot's objects accept lists
const values = v.custom<JsonObject>(
  isRecord,
  ({ received }) => `Invalid type: Expected Object but received ${received}`,
);
const record = v.nullish(values);
// a criterion with threshold 0 could never fail
const threshold = v.pipe(v.number(), v.gtValue(0), v.maxValue(1));
const MetricObject = v.looseObject({ criterion: v.string(), threshold: v.nullish(threshold) });
const MetricDocument = v.lazy((metric) => (typeof metric === "string" ? v.string() : MetricObject));
const CallDocument = v.looseObject({ tool: v.string(), args: record });
const MockDocument = v.looseObject({
  tool_name: v.string(),
  input_match_rule: v.nullish(
    v.variant("type", [
      v.looseObject({ type: v.literal("any") }),
      v.looseObject({ type: v.literal("partial_match"), args: values }),
    ]),
  ),
  output: v.optional(v.unknown()),
  result: v.nullish(v.boolean()),
  delay_ms: v.nullish(v.pipe(v.number(), v.minValue(0))),
  times: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** A scenario without aliases. */
export const ScenarioDocument = v.looseObject({
  name: v.pipe(v.string(), v.nonEmpty()),
  user_prompt: v.nullish(v.string()),
  says: texts,
  dynamic_variables: record,
  tool_mocks: v.nullish(v.array(MockDocument)),
  type: v.nullish(v.picklist(["llm", "rule", "simulation", "unit"])),
  metrics: v.nullish(v.array(MetricDocument)),
  includes: texts,
  excludes: texts,
  patterns: texts,
  visits: texts,
  avoids: texts,
  ends: v.nullish(v.picklist(END_REASONS)),
  extracts: record,
  calls: v.nullish(v.array(CallDocument)),
  checks: texts,
  tags: texts,
  llm_model: v.nullish(v.string()),
  max_turns: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** Keys of a scenario and of the objects in its lists. */
export const SCENARIO_KEYS = {
  scenario: Object.keys(ScenarioDocument.entries),
  metric: Object.keys(MetricObject.entries),
  mock: Object.keys(MockDocument.entries),
  call: Object.keys(CallDocument.entries),
} as const satisfies { readonly [object: string]: readonly string[] };
