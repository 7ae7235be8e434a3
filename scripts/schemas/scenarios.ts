import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { DESCRIPTIVE, KEY_ALIASES } from "../../src/document/scenario/problems.ts";
import { ANSWER_KEYS } from "../../src/document/scenario/scenario.ts";
import { SCENARIO_OBJECTS, ScenarioDocument } from "../../src/document/scenario/schema.ts";

const ANY: JsonSchema = {};
const NULL: JsonSchema = { type: "null" };
const OBJECT: JsonSchema = { type: "object" };

/** A text that is not blank. */
const SAID: JsonSchema = { pattern: "\\S" };
/** A pattern that is not blank behind its prefix. */
const FITTING_PATTERN: JsonSchema = { type: "string", pattern: "^(?!(?:re2:|glob:)?\\s*$)" };

/** Keys that `isMarked` in `src/document/scenario/problems.ts` accepts as notes, as a pattern. */
const MARKED = "^(?!__proto__$)(?:[^A-Za-z]|$)|^[xX][-_]";

/**
 * The JSON Schema of scenarios: one, a list, or `{ "$schema": …, "scenarios": […] }`. Generated from the schema of
 * `parseScenarios()`; aliases and unknown keys, which it handles before, are added here.
 */
export function scenariosJsonSchema(): JsonSchema {
  const one = reference("scenario");
  const list: JsonSchema = { type: "array", items: one };
  const document: JsonSchema = {
    type: "object",
    properties: { scenarios: list, ...notes() },
    required: ["scenarios"],
    patternProperties: { [MARKED]: ANY },
    additionalProperties: false,
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Scenarios",
    description: "Simulated calls and what must hold in them, for callweave run --tests FILE.json.",
    ...when(OBJECT, when({ required: ["scenarios"], not: { required: ["name"] } }, document, one), list),
    definitions: { scenario: scenario(), metric: metric(), mock: mock(), call: call() },
  };
}

function scenario(): JsonSchema {
  const converted = convert(ScenarioDocument);
  const keys = { ...converted.properties, ...withoutBlanks(converted.properties ?? {}) };
  const aliases: { [word: string]: JsonSchema | boolean } = {
    ...Object.fromEntries(Object.entries(KEY_ALIASES).map(([word, key]) => [word, keys[key] ?? ANY])),
    mock: when({ type: "array" }, { items: reference("mock") }, { anyOf: [answers(), NULL] }),
    judge: { anyOf: [criterion(), { type: "array", items: criterion() }, NULL] },
    matches: { anyOf: [FITTING_PATTERN, { type: "array", items: FITTING_PATTERN }, NULL] },
  };
  return {
    ...strict(converted, {
      ...withoutBlanks(converted.properties ?? {}),
      ...Object.fromEntries(
        Object.entries(aliases).map(([word, alias]) => [
          word,
          { allOf: [alias], description: `Alias of ${KEY_ALIASES[word]}` },
        ]),
      ),
      ...notes(),
      checks: { allOf: [keys.checks ?? ANY], uniqueItems: true },
    }),
    allOf: Object.entries(KEY_ALIASES).map(([word, key]) => notBoth(word, key)),
  };
}

/** Expectations of which none may be blank. */
function withoutBlanks(keys: NonNullable<JsonSchema["properties"]>): { readonly [key: string]: JsonSchema } {
  const items = ["includes", "excludes", "visits", "avoids", "checks"].map((key) => [key, { items: SAID }] as const);
  const rules = [...items, ["patterns", { items: FITTING_PATTERN }], ["extracts", { propertyNames: SAID }]] as const;
  return Object.fromEntries(rules.map(([key, rule]) => [key, { allOf: [keys[key] ?? ANY, rule] }]));
}

/** An alias and its key exclude each other, unless one is null. */
function notBoth(word: string, key: string): JsonSchema {
  return { not: { required: [word, key], properties: { [word]: { not: NULL }, [key]: { not: NULL } } } };
}

function criterion(): JsonSchema {
  return when({ type: "string" }, { pattern: "\\S" }, reference("metric"));
}

function metric(): JsonSchema {
  return strict(convert(SCENARIO_OBJECTS.MetricObject), { criterion: { type: "string", pattern: "\\S" } });
}

function call(): JsonSchema {
  return strict(convert(SCENARIO_OBJECTS.CallDocument), { tool: { type: "string", ...SAID } });
}

/** A mock in a list, whose keys have the aliases of `mockInList`. */
function mock(): JsonSchema {
  const { required: _, ...converted } = convert(SCENARIO_OBJECTS.MockDocument);
  const absent = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, NULL]));
  const alias = (word: string, key: string, schema: JsonSchema): JsonSchema =>
    when({ required: [word] }, { properties: { [word]: schema, ...absent(key) } });
  return {
    ...strict(converted, {
      ...{ tool_name: { type: ["string", "null"] }, tool: ANY, args: ANY, fails: ANY, delayMs: ANY },
      stateChanges: ANY,
    }),
    ...when(
      { required: ["tool"] },
      { properties: { tool: { type: "string" }, ...absent("tool_name") } },
      { required: ["tool_name"], properties: { tool_name: { type: "string" } } },
    ),
    allOf: [
      alias("args", "input_match_rule", OBJECT),
      alias("fails", "result", { type: ["boolean", "null"] }),
      alias("delayMs", "delay_ms", converted.properties?.delay_ms as JsonSchema), // no key is declared as a boolean
      alias("stateChanges", "state_changes", { type: ["object", "null"] }),
    ],
  };
}

/** Answers by tool, or a single mock. An object with only the keys of an answer is an answer; anything else is the tool's output. */
function answers(): JsonSchema {
  const keys = convert(SCENARIO_OBJECTS.MockDocument).properties ?? {};
  const changes: JsonSchema = { type: ["object", "null"] };
  const stateChanges = { stateChanges: changes, state_changes: changes };
  const answer = {
    properties: { args: OBJECT, fails: { type: ["boolean", "null"] }, times: keys.times ?? ANY, ...stateChanges },
    ...when(
      { required: ["delay_ms"] },
      { properties: { delay_ms: keys.delay_ms ?? ANY } },
      { properties: { delayMs: keys.delay_ms ?? ANY } },
    ),
  } satisfies JsonSchema;
  const isAnswer: JsonSchema = { type: "object", minProperties: 1, propertyNames: { enum: ANSWER_KEYS } };
  return when({ required: ["tool_name"], properties: { tool_name: { type: "string" } } }, reference("mock"), {
    type: "object",
    additionalProperties: when(isAnswer, answer),
  });
}

/** The keywords `if`, `then` and `else`. */
function when(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return Object.fromEntries([["if", condition], ["then", then], ...(otherwise ? [["else", otherwise]] : [])]);
}

/** A line of the caller, or a step. */
function line(): JsonSchema {
  return when({ type: "string" }, ANY, convert(SCENARIO_OBJECTS.StepDocument));
}

function convert(schema: v.GenericSchema): JsonSchema {
  const { MetricObject, MetricDocument, MockDocument, CallDocument, LineDocument } = SCENARIO_OBJECTS;
  const named = new Map<unknown, JsonSchema>([
    [MetricObject, reference("metric")],
    [MetricDocument, criterion()],
    [MockDocument, reference("mock")],
    [CallDocument, reference("call")],
    ...(schema === SCENARIO_OBJECTS.StepDocument ? [] : [[LineDocument, line()] as const]),
  ]);
  const {
    $schema: _,
    $defs: __,
    ...converted
  } = toJsonSchema(schema, {
    target: "draft-07",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema !== schema && named.has(valibotSchema)) return named.get(valibotSchema);
      if (isStrict(valibotSchema)) return strict(jsonSchema);
      return valibotSchema.type === "custom" ? OBJECT : undefined;
    },
  });
  return converted;
}

function isStrict(schema: unknown): boolean {
  const { AnyRule, PartialRule, TurnDocument, MoveDocument } = SCENARIO_OBJECTS;
  return [AnyRule, PartialRule, TurnDocument, MoveDocument].some((each) => each === schema);
}

/** Allows the keys that `scenarioProblems` accepts, and no others. */
function strict(schema: JsonSchema, more: { readonly [key: string]: JsonSchema | boolean } = {}): JsonSchema {
  return {
    ...schema,
    properties: { ...schema.properties, ...more, retell: ANY },
    patternProperties: { [MARKED]: ANY },
    additionalProperties: false,
  };
}

function notes(): { readonly [key: string]: JsonSchema } {
  return Object.fromEntries([...DESCRIPTIVE].map((key) => [key, ANY]));
}

function reference(name: "scenario" | "metric" | "mock" | "call"): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}
