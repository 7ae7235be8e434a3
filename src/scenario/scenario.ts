import type { EndReason } from "../transcript/mod.ts";
import type { CHECKS, ScenarioCheck } from "./check.ts";

/** Default threshold of a criterion. */
export const DEFAULT_THRESHOLD = 0.7;

/**
 * A call to simulate and its expectations. The document is the same in code and in JSON: the test-case list of other
 * tools, with additional keys.
 */
export interface Scenario {
  readonly name: string;
  readonly type?: "llm" | "rule";
  /** The persona of the simulated caller. A model plays it after the last line of `says`. */
  readonly user_prompt: string;
  /** The caller's first lines, verbatim. Without a `user_prompt` the caller says nothing else. */
  readonly says: readonly string[];
  readonly dynamic_variables: { readonly [name: string]: unknown };
  readonly tool_mocks: readonly ToolMock[];
  /** Criteria for the judge. */
  readonly metrics: readonly Metric[];
  /** Texts that the agent must say, without regard to case. */
  readonly includes: readonly string[];
  /** Texts that the agent must not say, without regard to case. */
  readonly excludes: readonly string[];
  /** RE2 expressions or globs; each must match a message of the agent. */
  readonly patterns: readonly string[];
  /** Nodes that must be visited in this order; others may come between. */
  readonly visits: readonly string[];
  /** Nodes that must not be visited. */
  readonly avoids: readonly string[];
  readonly ends?: EndReason | null;
  /** Final values of variables, compared as text. */
  readonly extracts: { readonly [name: string]: unknown };
  /** Expected tool calls, each with at least these arguments. */
  readonly calls: readonly ExpectedToolCall[];
  /** Names of checks that are functions. JSON holds only the names; a document without the functions cannot run. */
  readonly checks?: readonly string[] | null;
  /** The functions of `checks`. */
  readonly [CHECKS]?: readonly ScenarioCheck[];
  /** Tags by which runs select scenarios, such as `smoke`. */
  readonly tags?: readonly string[] | null;
  /** `provider/model` for the agent, used if the run allows it (`scenarioModels`). */
  readonly llm_model?: string | null;
  /** Caller turns after which the call ends with `max_turns`. */
  readonly max_turns?: number | null;
}

/** One criterion for the judge. */
export interface Metric {
  readonly criterion: string;
  /** The score from which the criterion passes: above 0, which every score reaches, and at most 1. */
  readonly threshold: number;
}

/** A mocked answer of a tool. */
export interface ToolMock {
  readonly tool_name: string;
  readonly input_match_rule: MockRule;
  /** Text, or JSON as text or as a value. */
  readonly output: unknown;
  /** Whether the call succeeds. */
  readonly result: boolean;
  /** Delay of the answer in milliseconds. Absent: none. */
  readonly delay_ms?: number | null;
  /** Number of calls that it answers before the next matching mock is used. Absent: all. */
  readonly times?: number | null;
}

/** Which calls a mock answers. `partial_match`: calls with at least these arguments. */
export type MockRule =
  | { readonly type: "any" }
  | { readonly type: "partial_match"; readonly args: { readonly [name: string]: unknown } };

/** A call of a tool that must happen, with the arguments that it must have at least. */
export interface ExpectedToolCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

/** Whether the caller only says the lines of `says`, so that no model plays it. */
export function isScripted({ says, user_prompt: persona }: Pick<Scenario, "says" | "user_prompt">): boolean {
  return says.length > 0 && persona.trim() === "";
}
