import { isRecord, isTypoOf, type JsonObject, shorten } from "../../base/values/mod.ts";
import type { ToolState } from "../graph/mod.ts";
import type { Call, CheckKind, EndReason } from "../transcript/mod.ts";
import { type CallerLine, type CallerSpeech, steppedParts } from "./caller_line.ts";
import type { CallerTraits } from "./callers/mod.ts";
import type { JudgedReplyRule, ReplyRule } from "./reply_rules.ts";

/** Default threshold of a criterion. */
export const DEFAULT_THRESHOLD = 0.7;

/**
 * A call to simulate, and its expectations. The document is the same in code and JSON. It extends the test-case format
 * of other tools.
 */
export interface Scenario {
  readonly name: string;
  readonly type?: "llm" | "rule";
  /** Persona of the simulated caller. A model plays it after the last line of `says`. */
  readonly user_prompt: string;
  /**
   * The caller's first lines, verbatim, and steps between them, such as silence. Without a `user_prompt` the caller says
   * nothing else.
   */
  readonly says: readonly CallerLine[];
  /** How the caller speaks, in calls by voice. */
  readonly speaks?: CallerSpeech | null;
  /** How the caller is: traits that show in what it says, and in how it sounds. The audit of the caller checks them. */
  readonly caller?: CallerTraits | null;
  /** The scenario and the caller of a set that this one was made of. */
  readonly cast?: CastOf | null;
  readonly dynamic_variables: { readonly [name: string]: unknown };
  readonly tool_mocks: readonly ToolMock[];
  /** What the functions of tools find at the start of the call, laid over the state of the run as a merge patch. */
  readonly tool_state?: { readonly [name: string]: unknown } | null;
  /** Criteria for the judge. */
  readonly metrics: readonly Metric[];
  /** Texts that the agent must say, ignoring case. */
  readonly includes: readonly string[];
  /** Texts that the agent must not say, ignoring case. */
  readonly excludes: readonly string[];
  /** RE2 expressions or globs; each must match a message of the agent. */
  readonly patterns: readonly string[];
  /** What must hold of each reply of the agent. */
  readonly each_reply?: readonly ReplyRule[] | null;
  /** Nodes that must be visited in this order, possibly with others in between. */
  readonly visits: readonly string[];
  /** Nodes that must not be visited. */
  readonly avoids: readonly string[];
  readonly ends?: EndReason | null;
  /** Final values of variables, compared as texts. */
  readonly extracts: { readonly [name: string]: unknown };
  /** Expected tool calls, each with at least these arguments. */
  readonly calls: readonly ExpectedToolCall[];
  /** What the tools' state must contain after the call. */
  readonly end_state?: { readonly [name: string]: unknown } | null;
  /** Maximum time in milliseconds until the agent's first word, in every turn. */
  readonly answers_within_ms?: number | null;
  /** Maximum time in milliseconds until the first word in turns with tool calls, instead of `answers_within_ms`. */
  readonly answers_after_tools_within_ms?: number | null;
  /** Maximum time in milliseconds until the agent is silent when the caller interrupts. */
  readonly stops_within_ms?: number | null;
  /** Maximum time in milliseconds that the agent talks over the caller, in every turn. */
  readonly talks_over_at_most_ms?: number | null;
  /** Maximum time in milliseconds in which nobody speaks, although it is the agent's turn. */
  readonly dead_air_at_most_ms?: number | null;
  /** The agent says no sentence twice. */
  readonly says_nothing_twice?: true | null;
  /** Maximum share of words that the agent's platform hears wrongly, from 0 to 1. */
  readonly word_errors_at_most?: number | null;
  /** Names of check functions. A document from JSON has only the names and cannot run without the functions. */
  readonly checks?: readonly string[] | null;
  /** Functions of `checks`. */
  readonly [CHECKS]?: readonly ScenarioCheck[];
  /** Tags that select scenarios for a run, such as `smoke`. */
  readonly tags?: readonly string[] | null;
  /** Model of the agent (`provider/model`), used if the run allows it (`scenarioModels`). */
  readonly llm_model?: string | null;
  /** Number of calls in a run. Default: the run's `repeat`. */
  readonly repeat?: number | null;
  /** When repeated calls pass. Default: the run's `gate`. */
  readonly gate?: ScenarioGate | null;
  /** Caller turns after which the call ends with `max_turns`. */
  readonly max_turns?: number | null;
  /**
   * The path that the scenario was generated for. If the offline model plays both agent and caller, it follows this path
   * instead of its rules: the opening, if anything is decided in it, then a turn for each line of the caller.
   */
  readonly offline_path?: readonly OfflineTurn[] | null;
}

/** A turn of a call that the offline model plays along a known path. All lists are in the order of the call. */
export interface OfflineTurn {
  /** The caller's line. Absent in the opening. */
  readonly says?: string | null;
  /** The nodes that the model picks; `null`: none. `complete: false`: the node's objectives are not complete. */
  readonly moves?: readonly { readonly to: string | null; readonly complete?: boolean | null }[] | null;
  /** Values for each time that variables are extracted; a variable without a value is not found. */
  readonly extracts?: readonly { readonly [variable: string]: string }[] | null;
  /** Tools that the model calls in its replies. */
  readonly tools?: readonly string[] | null;
}

/** Which scenario a caller of a set plays. */
export interface CastOf {
  /** The name of the scenario as it is written. */
  readonly scenario: string;
  /** The name of the caller. */
  readonly caller: string;
}

/** When the repeated calls of a scenario pass: all of them, at least one, or a share above 0 and up to 1. */
export type ScenarioGate =
  | { readonly min_pass_rate: number }
  | { readonly pass_all: true }
  | { readonly pass_any: true };

/** One criterion for the judge. */
export interface Metric {
  readonly criterion: string;
  /** Score needed to pass, above 0 and at most 1. Absent: the threshold of the run, which is 0.7 by default. */
  readonly threshold?: number | null;
  /** Number of judges; more than half must pass the criterion. Each judge is one request to the judge's model. Default: 1. */
  readonly panel?: number | null;
}

/** A criterion in a run, with its threshold. */
export type RunMetric = Metric & { readonly threshold: number };

/** A mocked answer of a tool. */
export interface ToolMock {
  readonly tool_name: string;
  readonly input_match_rule: MockRule;
  /** A text, or JSON as text or value. */
  readonly output: unknown;
  /** Whether the call succeeds. */
  readonly result: boolean;
  /** Delay of the answer in milliseconds. Default: none. */
  readonly delay_ms?: number | null;
  /** Number of calls to answer before the next matching mock is used. Default: all. */
  readonly times?: number | null;
  /** How the answer changes the tools' state: a JSON merge patch, in which `null` removes a key. Default: not at all. */
  readonly state_changes?: { readonly [name: string]: unknown } | null;
}

/** Calls that a mock answers. `partial_match`: calls with at least these arguments. */
export type MockRule =
  | { readonly type: "any" }
  | { readonly type: "partial_match"; readonly args: { readonly [name: string]: unknown } };

/** An expected tool call with the arguments that it must at least have. */
export interface ExpectedToolCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

/** Expectations of which only voice shows most, with the kinds of their checks. */
export const VOICE_EXPECTATIONS = [
  { key: "answers_after_tools_within_ms", kind: "latency" },
  { key: "stops_within_ms", kind: "stops" },
  { key: "talks_over_at_most_ms", kind: "overlap" },
  { key: "dead_air_at_most_ms", kind: "dead_air" },
  { key: "says_nothing_twice", kind: "repeats" },
  { key: "word_errors_at_most", kind: "words" },
] as const satisfies readonly { readonly key: keyof Scenario; readonly kind: CheckKind }[];

/** An expectation of {@link VOICE_EXPECTATIONS} in one line: `stops within 500 ms`. */
export function voiceExpectation(key: (typeof VOICE_EXPECTATIONS)[number]["key"], value: number | true): string {
  if (key === "answers_after_tools_within_ms") return `within ${value} ms after tools`;
  if (key === "stops_within_ms") return `within ${value} ms`;
  if (key === "says_nothing_twice") return "nothing twice";
  if (key === "word_errors_at_most") return `at most ${Math.round(Number(value) * 1000) / 10} % of words lost`;
  return `at most ${value} ms`;
}

/** Whether a scenario has an expectation of {@link VOICE_EXPECTATIONS}. */
export function expectsVoice(scenario: Scenario): boolean {
  return VOICE_EXPECTATIONS.some(({ key }) => scenario[key] !== undefined && scenario[key] !== null);
}

/** The expectations of {@link VOICE_EXPECTATIONS} that a scenario has. */
export function voiceExpectations(scenario: Scenario): readonly {
  readonly key: (typeof VOICE_EXPECTATIONS)[number]["key"];
  readonly kind: (typeof VOICE_EXPECTATIONS)[number]["kind"];
  readonly expected: string;
}[] {
  return VOICE_EXPECTATIONS.flatMap(({ key, kind }) => {
    const value = scenario[key];
    return value === undefined || value === null ? [] : [{ key, kind, expected: voiceExpectation(key, value) }];
  });
}

/**
 * What a scenario has that tests in text do not: steps of the caller, how it speaks, and expectations of which only voice
 * shows most. `instead`: what is written for it.
 */
export function voiceParts(
  scenario: Scenario,
): readonly { readonly path: readonly (string | number)[]; readonly text: string; readonly instead?: string }[] {
  return [
    ...steppedParts(scenario).map(({ path, text, step }) => ({
      path,
      text: `a caller who ${text}`,
      ...(step && ("dtmf" in step || "voicemail" in step) ? { instead: "the caller's words" } : {}),
    })),
    ...voiceExpectations(scenario).map(({ key, kind, expected }) => ({
      path: [key],
      text: `an expectation of ${kind} ${expected}`,
    })),
  ];
}

/** Lines with words only: for callers that cannot do anything else. */
export function wordsOnly(lines: readonly CallerLine[]): readonly string[] {
  return lines.filter((line) => typeof line === "string");
}

/** Whether the caller of a scenario is more than words: it has steps, or its speech has a setting. */
export function hasSteps({ says, speaks }: Pick<Scenario, "says" | "speaks">): boolean {
  return says.some((line) => typeof line !== "string") || Boolean(speaks);
}

/** The rules of a scenario for each reply. */
export function replyRules({ each_reply: rules }: Partial<Pick<Scenario, "each_reply">>): readonly ReplyRule[] {
  return rules ?? [];
}

/** The criteria of a scenario for each reply, which the judge's model decides. */
export function judgedReplyRules(scenario: Partial<Pick<Scenario, "each_reply">>): readonly JudgedReplyRule[] {
  return replyRules(scenario).filter((rule) => "criterion" in rule);
}

/** Whether the caller only says the lines of `says`, without a model. */
export function isScripted({ says, user_prompt: persona }: Pick<Scenario, "says" | "user_prompt">): boolean {
  return says.length > 0 && persona.trim() === "";
}

/** Key of a scenario's check functions. JSON omits symbols, so a file contains only their names. */
export const CHECKS: unique symbol = Symbol.for("callweave.checks");

/** Values of a call's variables: numbers and booleans where declared, else texts. */
export type CallVariables = { readonly [name: string]: string | number | boolean | undefined };

/**
 * `true` or `false`, or a score from 0 to 1, compared with the threshold. Without a return value, the check passes
 * unless it throws.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: `(call) => assert.ok(…)` returns void, not undefined
export type CheckAnswer = boolean | number | void;

/** Options of one run of a check. */
export interface CheckContext {
  /** Aborted when the check times out or the run is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * A custom check. A thrown error, such as a failed assertion, fails the scenario. Variables that do not have their
 * declared type are left out of the call.
 */
export type CheckFunction<Values = CallVariables, NodeId extends string = string> = (
  call: Call<Values, NodeId> & { readonly scenario: string; readonly turnCount: number },
  context: CheckContext,
) => CheckAnswer | Promise<CheckAnswer>;

/** Settings of a check. */
export interface OwnCheckOptions {
  /** Score needed to pass, above 0 and at most 1. Default: the run's threshold, else 0.7. */
  readonly threshold?: number;
  /** Time limit in milliseconds. Default: 30,000. */
  readonly checkTimeoutMs?: number;
}

/**
 * A check of the tools' state after a call. It answers like a {@link CheckFunction}.
 *
 * @param state The state, a copy.
 */
export type EndStateCheck<State = ToolState, Values = CallVariables, NodeId extends string = string> = (
  state: State,
  call: Parameters<CheckFunction<Values, NodeId>>[0],
  context: CheckContext,
) => CheckAnswer | Promise<CheckAnswer>;

/** A check added in code: of the call, or of the tools' state after it. */
export type ScenarioCheck = OwnCheckOptions & { readonly name: string } & (
    | { readonly judge: CheckFunction; readonly endState?: undefined }
    | { readonly endState: EndStateCheck; readonly judge?: undefined }
  );

/** The check functions of a scenario that judge the call. */
export function callChecks(scenario: Scenario): readonly (ScenarioCheck & { readonly judge: CheckFunction })[] {
  return (scenario[CHECKS] ?? []).flatMap((check) => (check.judge ? [check] : []));
}

/** The check functions of a scenario that judge the tools' state after the call. */
export function endStateChecks(scenario: Scenario): readonly (ScenarioCheck & { readonly endState: EndStateCheck })[] {
  return (scenario[CHECKS] ?? []).flatMap((check) => (check.endState ? [check] : []));
}

/** Whether a scenario expects anything of the tools' state after the call. */
export function expectsEndState(scenario: Scenario): boolean {
  return Boolean(scenario.end_state) || endStateChecks(scenario).length > 0;
}

/** The expected end state in one line. */
export function endStateText(expected: JsonObject): string {
  return shorten(JSON.stringify(expected), 200);
}

/** The text of a check's function: equal for equal code. */
export function checkText({ judge, endState }: ScenarioCheck): string {
  return String(judge ?? endState);
}

/** Keys of an answer in `.mock(tool, answer)`. */
export const ANSWER_KEYS = [
  ...["args", "output", "fails", "delayMs", "delay_ms", "times"],
  ...["stateChanges", "state_changes"],
];

/**
 * Creates the mock of `.mock(tool, answer)`. An object with only keys of an answer is an answer; any other value is the
 * output.
 */
export function mockOf(tool: string, answer: unknown): ToolMock {
  return mockFrom(tool, isAnswer(answer) ? answer : { output: answer });
}

/** Finds a misspelt key of an answer, because of which the whole object would be read as the output. */
export function slipInAnswer(answer: unknown): { readonly key: string; readonly meant: string } | undefined {
  if (!isRecord(answer)) return undefined;
  const keys = Object.keys(answer);
  const others = keys.filter((key) => !ANSWER_KEYS.includes(key));
  if (others.length === 0 || others.length === keys.length) return undefined;
  const slips = others.flatMap((key) => {
    const meant = ANSWER_KEYS.find((each) => isTypoOf(each, key));
    return meant === undefined ? [] : [{ key, meant }];
  });
  return slips.length === others.length ? slips[0] : undefined;
}

/** Reads a mock in a list. `tool`, `args`, `fails` and `delayMs` are aliases of the keys of a {@link ToolMock}. */
export function mockInList(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { tool, args, fails, delayMs, stateChanges, ...rest } = item;
  const taken = (given: unknown, key: string) => given !== undefined && (rest[key] === undefined || rest[key] === null);
  return {
    ...rest,
    ...named("tool", "tool_name", tool),
    ...(taken(args, "input_match_rule") ? { input_match_rule: { type: "partial_match", args } } : unread({ args })),
    ...(taken(fails, "result") ? { result: typeof fails === "boolean" ? !fails : fails } : unread({ fails })),
    ...named("delayMs", "delay_ms", delayMs),
    ...named("stateChanges", "state_changes", stateChanges),
  };

  function named(word: string, key: string, given: unknown): JsonObject {
    return taken(given, key) ? { [key]: given } : unread({ [word]: given });
  }
}

/** Leaves keys that are given twice under their alias, which is then reported as unknown. */
function unread(given: JsonObject): JsonObject {
  return Object.values(given)[0] === undefined ? {} : given;
}

function isAnswer(answer: unknown): answer is JsonObject {
  if (!isRecord(answer)) return false;
  const keys = Object.keys(answer);
  return keys.length > 0 && keys.every((key) => ANSWER_KEYS.includes(key));
}

/** Builds a mock. Values of wrong types are kept, and rejected by `parseScenarios()`. */
function mockFrom(
  tool: string,
  {
    args,
    output,
    fails = false,
    delayMs,
    delay_ms: delay = delayMs,
    times,
    stateChanges,
    state_changes: changes = stateChanges,
  }: JsonObject,
) {
  const mock: { readonly [Key in keyof ToolMock]: unknown } = {
    tool_name: tool,
    input_match_rule: args !== undefined ? { type: "partial_match", args } : { type: "any" },
    output: output ?? "",
    result: typeof fails === "boolean" ? !fails : fails,
    ...(delay === undefined ? {} : { delay_ms: delay }),
    ...(times === undefined ? {} : { times }),
    ...(changes === undefined ? {} : { state_changes: changes }),
  };
  return mock as ToolMock; // validated by parseScenarios()
}
