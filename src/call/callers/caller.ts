import type { CallUsage, HistoryLine } from "../models/mod.ts";

/**
 * One turn of a caller. With `hangUp` the caller says the line, if there is one, waits for the reply and hangs up.
 * `caller_exhausted` means that no line was left.
 */
export type CallerMove =
  | { readonly say: string; readonly hangUp?: CallerHangUp }
  | { readonly say?: undefined; readonly hangUp: CallerHangUp };

/** End reasons of a call that the caller ended. */
export type CallerHangUp = "caller_ended" | "caller_exhausted";

/** Options of one turn of a caller. */
export interface CallerOptions {
  /** Aborted when the call is cancelled, or when the caller exceeds its time limit, `limits.turnTimeoutMs`. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the usage of a simulated caller's model calls. */
  readonly onUsage?: (usage: CallUsage) => void;
}

/** The caller of a simulated call. Create one per call. */
export interface Caller {
  /**
   * @param history Messages so far, oldest first: `assistant` is the agent, `user` the caller.
   */
  next(history: readonly HistoryLine[], options?: CallerOptions): Promise<CallerMove>;
}
