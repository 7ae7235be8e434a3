import * as v from "valibot";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { END_REASONS } from "../transcript/mod.ts";
import { STEP_KEYS, TELEPHONE_KEYS } from "./caller_line.ts";
import { TRAITS, type TraitName } from "./callers/mod.ts";
import { REPLY_RULE_KINDS } from "./reply_rules.ts";

const texts = v.array(v.string());
const milliseconds = v.pipe(v.number(), v.gtValue(0));
// valibot's objects accept lists
const values = v.custom<JsonObject>(
  isRecord,
  ({ received }) => `Invalid type: Expected Object but received ${received}`,
);
/** An empty object would be in every state. */
const filledValues = v.pipe(values, v.minEntries(1, "Expected an object with at least one key"));
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
  state_changes: described("How the answer changes the tools' state: a JSON merge patch", values),
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

const AfterMs = v.strictObject({ after_ms: milliseconds });
const AfterWords = v.strictObject({ after_words: v.pipe(v.number(), v.integer(), v.minValue(1)) });
const InterruptionDocument = v.union([AfterMs, AfterWords], "Expected { after_ms: 600 } or { after_words: 4 }");
const text = v.pipe(v.string(), v.regex(/\S/, "Expected a text that is not blank"));
/** A pattern that is not blank behind its prefix. */
const patternText = v.pipe(v.string(), v.regex(/^(?!(?:re2:|glob:)?\s*$)/, "Expected a pattern that is not blank"));
const InterruptStep = v.strictObject({ interrupts: InterruptionDocument });
const SilenceStep = v.strictObject({ silence_ms: milliseconds });
const KeysStep = v.strictObject({
  dtmf: v.pipe(v.string(), v.regex(TELEPHONE_KEYS, "Expected keys of a telephone: 0 to 9, *, #, A to D")),
});
const MusicStep = v.strictObject({ hold_music_ms: milliseconds });
const VoicemailStep = v.strictObject({ voicemail: text });
const HangUpStep = v.strictObject({ hangs_up: v.strictObject({ mid_sentence: v.nullish(v.boolean()) }) });
const StepDocument = v.union(
  [InterruptStep, SilenceStep, KeysStep, MusicStep, VoicemailStep, HangUpStep],
  `Expected a step with one of the keys ${STEP_KEYS.join(", ")}`,
);
const LineDocument = v.lazy((line) => (typeof line === "string" ? v.string() : StepDocument));
const SpeechDocument = v.strictObject({
  voice: described("Voice of the caller, as the speech model names it", text),
  language: described("ISO 639-1 code of the language for the speech model", text),
  rate: described("Speed of speech: 1 is the model's own", v.pipe(v.number(), v.minValue(0.25), v.maxValue(4))),
  noise_db: described(
    "Signal-to-noise ratio in decibels: 30 is a quiet room, 10 a busy street",
    v.pipe(v.number(), v.minValue(-20), v.maxValue(100)),
  ),
  packet_loss: described(
    "Share of the packets that the caller's line loses, from 0 to 1",
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  ),
});
const languageTag = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Expected the tag of a language, such as "de" or "pt-BR"'),
);
const TraitsDocument = v.strictObject({
  mood: trait("mood"),
  patience: trait("patience"),
  pace: trait("pace"),
  clarity: trait("clarity"),
  language: described(TRAITS.language.what, languageTag),
  accent: described(TRAITS.accent.what, languageTag),
  age: trait("age"),
  knowledge: trait("knowledge"),
  honesty: trait("honesty"),
  interrupts: trait("interrupts"),
  memory: trait("memory"),
  hearing: trait("hearing"),
  line: trait("line"),
});
const CastDocument = v.strictObject({ scenario: v.string(), caller: v.string() });
const fromZero = v.pipe(v.number(), v.minValue(0));
const turn = v.pipe(v.number(), v.integer(), v.minValue(0));
const replyPlace = {
  node: described("Only what the agent says at this node", text),
  from_turn: described("Turn of the caller from which on the rule applies; 0 is the opening", turn),
  to_turn: described("Last turn of the caller in which the rule applies", turn),
  after: described("RE2 expression or glob: the rule applies after the first message that matches", patternText),
  at_least: described(
    "Share of the replies that must obey the rule. Default: 1",
    v.pipe(v.number(), v.gtValue(0), v.maxValue(1)),
  ),
};
const ReplyRuleDocument = v.union(
  [
    v.strictObject({ criterion: text, ...replyPlace }),
    v.strictObject({ pattern: patternText, ...replyPlace }),
    v.strictObject({ no_pattern: patternText, ...replyPlace }),
    v.strictObject({ words_at_most: v.pipe(v.number(), v.integer(), v.minValue(1)), ...replyPlace }),
    v.strictObject({ seconds_at_most: v.pipe(v.number(), v.gtValue(0)), ...replyPlace }),
    v.strictObject({ questions_at_most: turn, ...replyPlace }),
    v.strictObject({ reading_level_at_most: fromZero, ...replyPlace }),
    v.strictObject({ silence_at_most_ms: milliseconds, ...replyPlace }),
    v.strictObject({ no_repetition: v.literal(true), ...replyPlace }),
    v.strictObject({ says_back: text, ...replyPlace }),
  ],
  `Expected a rule with one of the keys ${REPLY_RULE_KINDS.join(", ")}`,
);

/** A scenario without aliases. */
export const ScenarioDocument = v.looseObject({
  name: v.pipe(v.string(), v.nonEmpty(), v.description("Name of the scenario, unique among all scenarios")),
  user_prompt: described("Persona of the simulated caller", v.string()),
  says: described("The caller's first lines, verbatim, and steps between them", v.array(LineDocument)),
  speaks: described("How the caller speaks, in calls by voice", SpeechDocument),
  caller: described("How the caller is: traits that show in what it says, and in how it sounds", TraitsDocument),
  cast: described("The scenario and the caller of a set that this one was made of", CastDocument),
  dynamic_variables: described("Values of variables at the start of the call", values),
  tool_mocks: described("Answers of tools", v.array(MockDocument)),
  tool_state: described("The tools' state at the start of the call: a merge patch over that of the run", values),
  type: described("A label: all expectations apply", v.picklist(["llm", "rule", "simulation", "unit"])),
  metrics: described("Criteria for the judge", v.array(MetricDocument)),
  includes: described("Texts that the agent must say, ignoring case", texts),
  excludes: described("Texts that the agent must not say, ignoring case", texts),
  patterns: described("RE2 expressions or globs; each must match a message of the agent", texts),
  each_reply: described("What must hold of each reply of the agent", v.array(ReplyRuleDocument)),
  visits: described("Nodes that must be visited in this order, possibly with others in between", texts),
  avoids: described("Nodes that must not be visited", texts),
  ends: described("How the call must end", v.picklist(END_REASONS)),
  extracts: described("Final values of variables", values),
  calls: described("Tool calls that must happen, with at least these arguments", v.array(CallDocument)),
  end_state: described("What the tools' state must contain after the call", filledValues),
  answers_within_ms: described("Maximum milliseconds until the agent's first word, in every turn", milliseconds),
  answers_after_tools_within_ms: described(
    "Maximum milliseconds until the agent's first word in turns with tool calls, instead of answers_within_ms",
    milliseconds,
  ),
  stops_within_ms: described("Maximum milliseconds until the agent is silent when the caller interrupts", milliseconds),
  talks_over_at_most_ms: described(
    "Maximum milliseconds that the agent talks over the caller, in every turn",
    fromZero,
  ),
  dead_air_at_most_ms: described("Maximum milliseconds in which nobody speaks and the agent should", milliseconds),
  says_nothing_twice: described("The agent says no sentence twice", v.literal(true)),
  word_errors_at_most: described(
    "Maximum share of words that the agent's platform hears wrongly, from 0 to 1",
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  ),
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
  LineDocument,
  StepDocument,
  GateDocument,
  MinPassRate,
  PassAll,
  PassAny,
};

/** An optional key, with the text that editors show. */
function described<const Schema extends v.GenericSchema>(text: string, schema: Schema) {
  return v.pipe(v.nullish(schema), v.description(text));
}

/** A trait of the caller, with its values. */
function trait<const Name extends TraitOfWords>(name: Name) {
  const { what, values } = TRAITS[name];
  return described(what, v.picklist(keysOf(values)));
}

/** The traits whose values are words, not languages. */
type TraitOfWords = { [Name in TraitName]: (typeof TRAITS)[Name] extends { values: object } ? Name : never }[TraitName];

/** The keys of an object, with their types. */
function keysOf<Values extends object>(values: Values): readonly (keyof Values & string)[] {
  return Object.keys(values).filter((key): key is keyof Values & string => key in values);
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
