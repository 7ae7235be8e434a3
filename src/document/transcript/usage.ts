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
