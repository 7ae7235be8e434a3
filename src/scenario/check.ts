import type { EndReason, Message, ToolCall } from "../transcript/mod.ts";

/** Where a scenario keeps the functions of its checks. JSON has no symbols, so a file holds their names alone. */
export const CHECKS: unique symbol = Symbol.for("callweave.checks");

/** Values of a call's variables: those declared as numbers and booleans have that type, all others are text. */
export type CallVariables = { readonly [name: string]: string | number | boolean | undefined };

/** A finished call, as a check of your own sees it. */
export interface CheckedCall<Values = CallVariables, NodeId extends string = string> {
  readonly scenario: string;
  /** `user` and `assistant` messages were heard; `tool` messages record transitions, extractions and tool calls. */
  readonly transcript: readonly Message[];
  /** In the order of entry, the entry node first. */
  readonly nodesVisited: readonly NodeId[];
  readonly toolsCalled: readonly ToolCall[];
  /** At the end of the call. A value that does not have its declared type is left out. */
  readonly variables: Values;
  /** How often the caller spoke. */
  readonly turnCount: number;
  readonly endReason: EndReason | undefined;
  /** Details of the end, such as the budget that was exceeded. */
  readonly endDetail: string | undefined;
}

/** `true` or `false`, or a score from 0 to 1 that passes from the threshold. Nothing: it passes unless it throws. */
// biome-ignore lint/suspicious/noConfusingVoidType: `(call) => assert.ok(…)` returns void, not undefined
export type CheckAnswer = boolean | number | void;

/** Options of one run of a check. */
export interface CheckContext {
  /** Aborted when the check's time is over or the run is cancelled. */
  readonly signal: AbortSignal;
}

/** A check of your own. A thrown error, such as that of a failed assertion, fails the scenario. */
export type CheckFunction<Call = CheckedCall> = (
  call: Call,
  context: CheckContext,
) => CheckAnswer | Promise<CheckAnswer>;

/** Settings of a check. */
export interface OwnCheckOptions {
  /** Above 0 and at most 1: the score from which the check passes. Default: the run's threshold, else 0.7. */
  readonly threshold?: number;
  /** Time limit in milliseconds. Default: 30,000. */
  readonly checkTimeoutMs?: number;
}

/** A check that was added in code. */
export interface ScenarioCheck extends OwnCheckOptions {
  readonly name: string;
  readonly judge: CheckFunction;
}
