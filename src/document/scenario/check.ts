import type { Call } from "../transcript/mod.ts";

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
