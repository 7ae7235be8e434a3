/**
 * Why a call is over. `dead_air`: the agent answered the caller with silence twice in a row. `failed`: a model or the
 * harness failed, which says nothing about the agent.
 */
export const END_REASONS = [
  "agent_ended",
  "agent_transferred",
  "caller_ended",
  "caller_exhausted",
  "max_turns",
  "turn_timeout",
  "hop_limit",
  "dead_air",
  "budget_exceeded",
  "aborted",
  "failed",
] as const;

/** One of {@link END_REASONS}. */
export type EndReason = (typeof END_REASONS)[number];

/** One line of a transcript. */
export interface Message {
  /** Only what the caller would hear is `assistant`. Transitions, extractions and tool calls are `tool`. */
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly content: string;
  /** The node at which it was said or done. */
  readonly node_id: string;
  /** ISO 8601, from the conversation's clock. */
  readonly timestamp: string;
  /**
   * What a `tool` message records: `{ kind: "transition" | "decision" | "unusable_answer" | "extraction" | "tool_call", … }`.
   * A transition and a decision hold the model's `decision` with its reasoning, where a model was asked. An `assistant`
   * message that the model's limit of output tokens has cut off has `cut: true`.
   */
  readonly metadata: { readonly [key: string]: unknown };
}

/** One call of a tool, by a function node or by the model while it writes a reply. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
  /** What came back: parsed when it was JSON, else text; of a failure its message. */
  readonly result: unknown;
  readonly outcome: "succeeded" | "failed";
  readonly durationMs: number;
  /** The node at which it was called. */
  readonly nodeId: string;
  /** Whether a scenario's mock answered. */
  readonly mocked: boolean;
}

/** What the model calls of one piece of work came to. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Time spent waiting for models, in milliseconds. */
  readonly modelMs: number;
  /** Requests made again after one that failed; absent: none. */
  readonly retries?: number;
  /** In US dollars; absent when one of the models has no price. */
  readonly costUsd?: number;
  /** The same by who called the models. */
  readonly byRole?: { readonly [Role in "agent" | "caller" | "judge"]: Omit<Usage, "byRole"> };
}

/** What the judge found for one criterion. */
export interface Verdict {
  readonly criterion: string;
  /** What the judge took the criterion to ask for. */
  readonly requirement: string;
  /** What it quotes from the transcript; empty where nothing speaks for or against. */
  readonly evidence: string;
  /**
   * Whether all that is quoted was said in the call by the speaker that it names; also `false` where the criterion passes
   * without a quotation, and absent where it fails without one.
   */
  readonly evidenceFound?: boolean;
  readonly reasoning: string;
  /** 0 to 1. */
  readonly score: number;
  /** 0 to 1: how sure the judge says it is. */
  readonly confidence: number;
  /** 0 to 1: the score from which the criterion passes. */
  readonly threshold: number;
  /** Computed from score and threshold, never asked of a model. */
  readonly passed: boolean;
}

/** What a {@link CheckResult} looked at; each is a key of a scenario. */
export const CHECK_KINDS = [
  "includes",
  "excludes",
  "patterns",
  "visits",
  "avoids",
  "ends",
  "extracts",
  "calls",
  "check",
] as const;

/** One of {@link CHECK_KINDS}. */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** Whether one thing that a scenario expects, and no model has to judge, holds of a call. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** What was expected, as the scenario has it, in one line: `intent == book`. */
  readonly expected: string;
  readonly passed: boolean;
  /** What was found instead, or where it was found. */
  readonly reason: string;
  /** 0 to 1: of a check of one's own that scores. */
  readonly score?: number;
  /** 0 to 1: the score from which it passes. */
  readonly threshold?: number;
}
