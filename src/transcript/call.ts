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

/**
 * Why a call is over: `agent_ended`, `agent_transferred`, `caller_ended`, `caller_exhausted`, `max_turns`,
 * `turn_timeout`, `hop_limit`, `dead_air`, `budget_exceeded`, `aborted` or `failed`.
 */
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
