import type { Budget } from "./budget.ts";

/** Turns, time and budget that a call may take. */
export interface CallLimits {
  /** Number of caller turns after which a call ends with `max_turns`, unless the scenario sets a limit. Default: 20. */
  readonly maxTurns?: number;
  /**
   * Time limit of one turn of the agent, and of one move of a custom caller, in milliseconds. Default: 120,000.
   */
  readonly turnTimeoutMs?: number;
  /** Time limit of one tool call, in milliseconds. Default: 30,000. */
  readonly toolTimeoutMs?: number;
  /** What the agent may use in each call and each turn. Default: 20 model calls a turn. */
  readonly budget?: Budget;
}
