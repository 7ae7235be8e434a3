import type { CallUsage, HistoryLine } from "../models/mod.ts";

/**
 * What a caller does when it is their turn. With `hangUp` the caller says the line, if there is one, hears the answer and
 * is gone; `caller_exhausted` says that there was simply nothing left to say.
 */
export type CallerMove =
  | { readonly say: string; readonly hangUp?: CallerHangUp }
  | { readonly say?: undefined; readonly hangUp: CallerHangUp };

/** How a call ends when it is the caller who ends it. */
export type CallerHangUp = "caller_ended" | "caller_exhausted";

/** What holds for one move. */
export interface CallerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told what a caller that is played by a model costs. */
  readonly onUsage?: (usage: CallUsage) => void;
}

/** Whoever is on the other end of a simulated call. One caller holds one call. */
export interface Caller {
  /**
   * @param history What was said so far, oldest first; assistant lines are the agent's, user lines the caller's own.
   */
  next(history: readonly HistoryLine[], options?: CallerOptions): Promise<CallerMove>;
}
