import type { VoiceRecord } from "./voice.ts";

/**
 * Possible statuses of a result. `error`: a model or the runner failed, not the agent. `invalid`: the simulated caller
 * broke the rules of its scenario, so that the call says nothing about the agent.
 */
export const RESULT_STATUSES = ["pass", "fail", "error", "imported", "cancelled", "invalid"] as const;

/**
 * Status of a result. `error`: a model or the runner failed, not the agent. `invalid`: the simulated caller broke the
 * rules of its scenario, so that the call says nothing about the agent; it counts neither as passed nor as failed.
 */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/**
 * What moved a call to another node, as a `transition` message records it: a transition of the node that was left, by
 * its index; the entry condition of a global node; or a go-back condition, by its index.
 */
export type RecordedMove = { readonly transition: number } | { readonly global: true } | { readonly go_back: number };

/**
 * An equation condition that was evaluated: its transition or go-back condition, by its index, and which of its clauses
 * were true. Clauses after the one that decided the condition were not evaluated and are missing.
 */
export type EvaluatedEquation = { readonly clauses: readonly boolean[] } & (
  | { readonly transition: number }
  | { readonly go_back: number }
);

/** Model calls, tokens, time and cost of a piece of work. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Time spent waiting for models, in milliseconds. */
  readonly modelMs: number;
  /** Number of retries. Absent when there were none. */
  readonly retries?: number;
  /** In US dollars. Absent when the price of a model is unknown. */
  readonly costUsd?: number;
  /** How much of the usage is the agent's, the caller's and the judge's. */
  readonly byRole?: { readonly [Role in "agent" | "caller" | "judge"]: Omit<Usage, "byRole"> };
}

/** A finding of the audit of a simulated caller: such a call says nothing about the agent. */
export interface AuditFinding {
  /**
   * `invented-fact`: the caller stated a fact that is neither in its persona nor in what the agent or a tool said.
   * `ended-early`: it hung up before its goal was decided.
   * `trait-not-shown`: nothing of what it said shows a trait that it should have.
   */
  readonly kind: "invented-fact" | "ended-early" | "trait-not-shown";
  /** The invented value, or the trait: `mood: angry`. Absent for an early end. */
  readonly fact?: string;
  /** The caller's words. */
  readonly quote: string;
  /** The finding as one sentence. */
  readonly reason: string;
}

/** The audit of a simulated caller. */
export interface CallerAudit {
  readonly findings: readonly AuditFinding[];
}

/** The judge's verdict on one criterion. */
export interface Verdict {
  readonly criterion: string;
  /** The criterion as the judge understood it. */
  readonly requirement: string;
  /**
   * Whether the criterion is met by something that is said or done (`presence`), or by something that is not
   * (`absence`), which no words of the call can show. Absent in the flow judge's verdict and in older results.
   */
  readonly claims?: "presence" | "absence";
  /** Quotations from the transcript; empty when there are none. */
  readonly evidence: string;
  /**
   * Whether every quotation was said by the speaker it names. Without a quotation, `false` where words of the call must
   * show the result: for a presence that passes and an absence that fails. Absent where there is nothing to quote.
   */
  readonly evidenceFound?: boolean;
  readonly reasoning: string;
  /** From 0 to 1. */
  readonly score: number;
  /** From 0 to 1, as stated by the judge; absent when it stated none. */
  readonly confidence?: number;
  /** Score needed to pass, from 0 to 1. */
  readonly threshold: number;
  /** Computed from score and threshold, not by a model. */
  readonly passed: boolean;
  /** The verdict of each judge of a panel; absent for a single judge. More than half must pass. */
  readonly votes?: readonly JudgeVote[];
  /** The steps of the call's path, in the verdict of the flow judge; absent for other criteria. */
  readonly steps?: readonly FlowStep[];
  /** The languages of the call that the judge was told, as tags such as `de`, the main one first. Absent: English alone. */
  readonly languages?: readonly string[];
  /** How many replies meet a criterion for each reply, with the 95 % interval of the share, which is the score. */
  readonly replies?: { readonly held: number; readonly of: number; readonly low: number; readonly high: number };
}

/** A step of a call's path for the flow judge: a transition, or a turn after which the call stayed. */
export interface FlowStep {
  /** The caller's messages so far: 0 is the opening. */
  readonly turn: number;
  /** Id of the node with the choice. */
  readonly node: string;
  /** Id of the node that the call went to; `null`: it stayed. */
  readonly took: string | null;
  readonly right: boolean;
  /** For a wrong step, the node that it should have gone to; `null`: it should have stayed. */
  readonly instead?: string | null;
  /** Words of the call that decide it; empty when there are none. */
  readonly quote: string;
  readonly reasoning: string;
}

/** The verdict of one judge of a panel. */
export interface JudgeVote {
  /** From 0 to 1. */
  readonly score: number;
  readonly passed: boolean;
  /** From 0 to 1, as stated by the judge; absent when it stated none. */
  readonly confidence?: number;
  readonly reasoning: string;
}

/** Kinds of {@link CheckResult}. */
export const CHECK_KINDS = [
  "includes",
  "excludes",
  "patterns",
  "visits",
  "avoids",
  "ends",
  "extracts",
  "calls",
  "latency",
  "stops",
  "overlap",
  "dead_air",
  "repeats",
  "words",
  "each_reply",
  "end_state",
  "check",
  "policy",
] as const;

/**
 * What a check is about: an expectation of the scenario, by its key (`includes`, `visits`, `ends`, …); `latency` for
 * `answers_within_ms`, `stops`, `overlap`, `dead_air`, `repeats` and `words` for what is heard by voice, `each_reply`
 * for a rule that each reply obeys, `end_state` for the tools' state after the call, `check` for a custom check, `policy` for a policy.
 */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** Result of an expectation that needs no judge. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** The expectation in one line: `intent == book`. */
  readonly expected: string;
  readonly passed: boolean;
  /** The actual value, or where it was found. */
  readonly reason: string;
  /** Score from 0 to 1, if a custom check returned one. */
  readonly score?: number;
  /** Score needed to pass, from 0 to 1. */
  readonly threshold?: number;
  /** How many replies obey a rule for each reply, with the 95 % interval of the share. */
  readonly replies?: { readonly held: number; readonly of: number; readonly low: number; readonly high: number };
  /** Where the tools' state differs from the expected one, such as `orders.W1.status`; at most 50 places. */
  readonly differs?: readonly string[];
}

/** Kinds of {@link NotChecked}. */
export const NOT_CHECKED_KINDS = [
  ...CHECK_KINDS,
  ...(["text", "steps", "variables", "mocks", "tool_state", "flow"] as const),
] as const;

/** An expectation that was not checked, because the connection to the agent does not report what it is about. */
export interface NotChecked {
  /** What the expectation is: a kind of check, `variables` and `mocks` that the agent did not get, `flow` for its path. */
  readonly kind: (typeof NOT_CHECKED_KINDS)[number];
  /** The expectation in one line. */
  readonly expected: string;
  /** What the connection lacks. */
  readonly reason: string;
}

/** A step of the caller that text could only approximate. */
export interface Approximation {
  /** What the caller does: `is silent for 3 s`. */
  readonly step: string;
  /** What happened instead. */
  readonly instead: string;
}

/** A call with an agent where it runs. */
export interface ConnectedCallFacts {
  /** Name of the connection. */
  readonly agent: string;
  /** Version of the agent that answered; absent if it is not known. */
  readonly version?: string;
  /** The platform's id of the call. */
  readonly callId?: string;
  /** The platform's end reason. */
  readonly endReason?: string;
  /** What the agent's platform charges, in US dollars. */
  readonly costUsd?: number;
  readonly recordingUrl?: string;
  /** What only voice shows; absent for calls in text. */
  readonly voice?: VoiceRecord;
  /** Whether the agent's tools ran, because the run allowed it. */
  readonly realTools?: true;
  /** Expectations that were not checked; absent if there are none. */
  readonly notChecked?: readonly NotChecked[];
}

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

/** The origin of an imported call. */
export interface CallProvenance {
  /** Format of the source: `retell`, `vapi`, `openai` or `text`. */
  readonly format: string;
  /** Id of the call in its source; `null` if the source has none. */
  readonly callId: string | null;
  /** Name of the file, without its folder, or of the platform that the call was pulled from. */
  readonly source: string;
  /** Number of the call in its source, from 1. */
  readonly position: number;
  /** Whether personal data was replaced before the call was stored. */
  readonly redacted: boolean;
  /** The platform's id of the agent. */
  readonly agentId?: string;
  /** The platform's end reason. */
  readonly platformEndReason?: string;
  /** Other data of the source, such as costs and the platform's analysis. */
  readonly facts?: { readonly [key: string]: unknown };
}

/** How long the caller waited for the agent in one turn. */
export interface TurnLatency {
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** Id of the node that spoke first; empty if it is not known. */
  readonly nodeId: string;
  /** From the caller's last word to the agent's first one, in milliseconds; `null` if the agent said nothing. */
  readonly firstWordMs: number | null;
  /** The parts of the time until the first word; absent if only the total is known. */
  readonly parts?: LatencyParts;
}

/** Parts of the time until the agent's first word, in milliseconds. Parts that did not happen are 0. */
export interface LatencyParts {
  readonly transition: number;
  readonly extraction: number;
  readonly tools: number;
  /** From the request for the reply to its first word. */
  readonly reply: number;
}
