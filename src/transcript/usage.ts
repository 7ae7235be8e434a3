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
