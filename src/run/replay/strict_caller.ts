import type { Caller, CallerHangUp } from "../../call/callers/mod.ts";
import type { StoredCall } from "./recording.ts";

/** A caller that says recorded words. */
export interface StrictCaller extends Caller {
  /** Whether it has said all of them. */
  isDone(): boolean;
}

/**
 * Creates a caller that says the recorded words in order, whatever the agent answers. It hangs up with its last words if
 * the recorded caller did.
 */
export function createStrictCaller({ turns, result }: StoredCall): StrictCaller {
  let next = 0;
  const hangUp = hangUpOf(result);
  return {
    isDone: () => next >= turns.length,
    next: async () => {
      const turn = turns[next++];
      if (!turn) return { hangUp: hangUp ?? "caller_exhausted" };
      return hangUp && next === turns.length ? { say: turn.said, hangUp } : { say: turn.said };
    },
  };
}

/** How the recorded caller ended the call; `undefined` if it did not. */
export function hangUpOf({ endReason }: StoredCall["result"]): CallerHangUp | undefined {
  return endReason === "caller_ended" || endReason === "caller_exhausted" ? endReason : undefined;
}
