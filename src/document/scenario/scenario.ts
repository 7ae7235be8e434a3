import { isRecord, isTypoOf, type JsonObject } from "../../base/values/mod.ts";
import type { Call, EndReason } from "../transcript/mod.ts";

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
  /** The caller's first lines, verbatim. Without a `user_prompt` the caller says nothing else. */
  readonly says: readonly string[];
  readonly dynamic_variables: { readonly [name: string]: unknown };
  readonly tool_mocks: readonly ToolMock[];
  /** Criteria for the judge. */
  readonly metrics: readonly Metric[];
  /** Texts that the agent must say, ignoring case. */
  readonly includes: readonly string[];
  /** Texts that the agent must not say, ignoring case. */
  readonly excludes: readonly string[];
  /** RE2 expressions or globs; each must match a message of the agent. */
  readonly patterns: readonly string[];
  /** Nodes that must be visited in this order, possibly with others in between. */
  readonly visits: readonly string[];
  /** Nodes that must not be visited. */
  readonly avoids: readonly string[];
  readonly ends?: EndReason | null;
  /** Final values of variables, compared as texts. */
  readonly extracts: { readonly [name: string]: unknown };
  /** Expected tool calls, each with at least these arguments. */
  readonly calls: readonly ExpectedToolCall[];
  /** Maximum time in milliseconds until the agent's first word, in every turn. */
  readonly answers_within_ms?: number | null;
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

/** A check added in code. */
export interface ScenarioCheck extends OwnCheckOptions {
  readonly name: string;
  readonly judge: CheckFunction;
}

/** Keys of an answer in `.mock(tool, answer)`. */
export const ANSWER_KEYS = ["args", "output", "fails", "delayMs", "delay_ms", "times"];

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
  const { tool, args, fails, delayMs, ...rest } = item;
  const taken = (given: unknown, key: string) => given !== undefined && (rest[key] === undefined || rest[key] === null);
  return {
    ...rest,
    ...named("tool", "tool_name", tool),
    ...(taken(args, "input_match_rule") ? { input_match_rule: { type: "partial_match", args } } : unread({ args })),
    ...(taken(fails, "result") ? { result: typeof fails === "boolean" ? !fails : fails } : unread({ fails })),
    ...named("delayMs", "delay_ms", delayMs),
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
  { args, output, fails = false, delayMs, delay_ms: delay = delayMs, times }: JsonObject,
) {
  const mock: { readonly [Key in keyof ToolMock]: unknown } = {
    tool_name: tool,
    input_match_rule: args !== undefined ? { type: "partial_match", args } : { type: "any" },
    output: output ?? "",
    result: typeof fails === "boolean" ? !fails : fails,
    ...(delay === undefined ? {} : { delay_ms: delay }),
    ...(times === undefined ? {} : { times }),
  };
  return mock as ToolMock; // validated by parseScenarios()
}
