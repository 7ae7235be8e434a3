/** Limits of the turns and tools of a call. */
export interface CallLimits {
  /** Caller turns after which a call ends with `max_turns`, where the scenario sets no limit. Default: 20. */
  readonly maxTurns?: number;
  /**
   * Time limit of one turn of the agent, and of one move of a caller of your own, in milliseconds. Default: 120,000.
   */
  readonly turnTimeoutMs?: number;
  /** Time limit of one tool call, in milliseconds. Default: 30,000. */
  readonly toolTimeoutMs?: number;
}
