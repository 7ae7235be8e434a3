import type { TurnLatency } from "./latency.ts";
import type { CallProvenance } from "./provenance.ts";

/**
 * Possible end reasons of a call. `dead_air`: the agent was silent twice in a row. `failed`: a model or the runner
 * failed, which says nothing about the agent.
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
 * Reason why a call ended: `agent_ended`, `agent_transferred`, `caller_ended`, `caller_exhausted`, `max_turns`,
 * `turn_timeout`, `hop_limit`, `dead_air`, `budget_exceeded`, `aborted` or `failed`.
 */
export type EndReason = (typeof END_REASONS)[number];

/** One message of a transcript. */
export interface Message {
  /**
   * `assistant` messages are those that the caller hears. Transitions, extractions and tool calls are `tool` messages.
   */
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly content: string;
  /** Id of the current node. */
  readonly node_id: string;
  /** ISO 8601, from the conversation's clock. */
  readonly timestamp: string;
  /**
   * Data of a `tool` message: `{ kind: "transition" | "decision" | "unusable_answer" | "extraction" | "tool_call", …
   * }`. Transitions and decisions have the model's `decision` with its reasoning, if a model was asked, and `equations`,
   * the conditions that were evaluated for them ({@link EvaluatedEquation}). Transitions have `ways`
   * ({@link TakenWay}): several where the model picked a node to which several conditions lead. An `assistant` message
   * that was cut off at the token limit has `cut: true`.
   */
  readonly metadata: { readonly [key: string]: unknown };
}

/** A tool call by a function node, or by the model during a reply. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
  /** Parsed JSON, else text; for a failure the error message. */
  readonly result: unknown;
  readonly outcome: "succeeded" | "failed";
  readonly durationMs: number;
  /** Id of the node that made the call. */
  readonly nodeId: string;
  /** Whether a scenario's mock answered. */
  readonly mocked: boolean;
}

/**
 * A call: what was said and done in it, and how it ended. Results of runs, stored results, calls of platforms and
 * `conversation()` are calls; functions that read calls take the parts that they need.
 */
export interface Call<Values = { readonly [name: string]: unknown }, NodeId extends string = string> {
  /** Id of a stored result. */
  readonly id?: string;
  /** Name of the scenario; absent for calls read from a platform. */
  readonly scenario?: string;
  /** `user` and `assistant` messages were spoken; `tool` messages record transitions, extractions and tool calls. */
  readonly transcript: readonly Message[];
  /** Ids of nodes in the order of entry, the entry node first. */
  readonly nodesVisited: readonly NodeId[];
  readonly toolsCalled: readonly ToolCall[];
  /** Values at the end of the call: numbers and booleans where the graph declares them, else texts. */
  readonly variables: Values;
  /** Values that the call started with; absent if they are not known, or there were none. */
  readonly startVariables?: { readonly [name: string]: unknown };
  /** Number of messages from the caller. */
  readonly turnCount?: number;
  /** Absent when the call did not end, or it is not known why. */
  readonly endReason?: EndReason | undefined;
  /** Details of the end, such as which budget was exceeded. */
  readonly endDetail?: string | undefined;
  /** ISO 8601; `null` if the source does not have it. */
  readonly startedAt?: string | null;
  /** `null` if the source does not have it. */
  readonly durationMs?: number | null;
  /** How long the caller waited in each turn; absent if it is not known. */
  readonly latency?: readonly TurnLatency[] | undefined;
  /** The origin of an imported call; absent for other calls. */
  readonly provenance?: CallProvenance;
}
