import type { EndReason } from "../transcript/mod.ts";
import type { CHECKS, ScenarioCheck } from "./check.ts";

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
