import type { EndReason } from "../transcript/mod.ts";
import type { CHECKS, ScenarioCheck } from "./check.ts";

/** The score from which a criterion passes, unless the criterion says otherwise. */
export const DEFAULT_THRESHOLD = 0.7;

/**
 * A call to be simulated and what must hold of it. The document is the same in the program and in JSON: the test-case
 * list that other tools write, with keys of our own for what those lists cannot say.
 */
export interface Scenario {
  readonly name: string;
  readonly type?: "llm" | "rule";
  /** Who the simulated caller is and what they want; a model plays them, from the last line of `says` on. */
  readonly user_prompt: string;
  /** The caller's first lines, to the letter. Without a `user_prompt` the caller says nothing else. */
  readonly says: readonly string[];
  readonly dynamic_variables: { readonly [name: string]: unknown };
  readonly tool_mocks: readonly ToolMock[];
  /** Criteria for the judge. */
  readonly metrics: readonly Metric[];
  /** Texts that the agent must say, without regard to case. */
  readonly includes: readonly string[];
  /** Texts that the agent must not say, without regard to case. */
  readonly excludes: readonly string[];
  /** RE2 expressions or globs that something the agent says must match. */
  readonly patterns: readonly string[];
  /** Nodes to be visited, in this order; others may come between. */
  readonly visits: readonly string[];
  /** Nodes never to be visited. */
  readonly avoids: readonly string[];
  readonly ends?: EndReason | null;
  /** Values that variables must have at the end, compared as text. */
  readonly extracts: { readonly [name: string]: unknown };
  /** Tools that must be called, each with at least these arguments. */
  readonly calls: readonly ExpectedToolCall[];
  /** Names of the checks that are functions. JSON keeps the names alone, and a document without the functions cannot run. */
  readonly checks?: readonly string[] | null;
  /** The functions of `checks`. */
  readonly [CHECKS]?: readonly ScenarioCheck[];
  /** Words by which runs select scenarios, such as `smoke`. */
  readonly tags?: readonly string[] | null;
  /** `provider/model` for the agent, where the run lets a scenario choose. */
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

/** The answer of a tool in a simulated call. */
export interface ToolMock {
  readonly tool_name: string;
  readonly input_match_rule: MockRule;
  /** Text, or JSON as text or as a value. */
  readonly output: unknown;
  /** Whether the call succeeds. */
  readonly result: boolean;
  /** Milliseconds that the answer takes. Absent: it is there at once. */
  readonly delay_ms?: number | null;
  /** Calls that it answers before the next mock that fits takes over. Absent: all. */
  readonly times?: number | null;
}

/** Which calls a mock answers. `partial_match`: those whose arguments hold at least these. */
export type MockRule =
  | { readonly type: "any" }
  | { readonly type: "partial_match"; readonly args: { readonly [name: string]: unknown } };

/** A tool call that must happen. */
export interface ExpectedToolCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

/** Whether a caller says the lines of `says` and nothing else, so that no model plays them. */
export function isScripted({ says, user_prompt: persona }: Pick<Scenario, "says" | "user_prompt">): boolean {
  return says.length > 0 && persona.trim() === "";
}
