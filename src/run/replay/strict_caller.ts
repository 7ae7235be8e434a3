import { aheadOf, type Caller, type CallerHangUp, type CallerMove } from "../../call/callers/mod.ts";
import { recordedTurns } from "../../document/scenario/mod.ts";
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
  const overLast = interruptedByHangUp(result);
  const moveAt = (index: number): CallerMove | undefined => {
    const turn = turns[index];
    if (!turn)
      return index === turns.length && overLast ? { hangUp: hangUp ?? "caller_ended", ...overLast } : undefined;
    const isLast = index === turns.length - 1 && !overLast;
    return { say: turn.said, ...turn.step, ...(hangUp && isLast ? { hangUp } : {}) };
  };
  return {
    isDone: () => next >= turns.length,
    next: async () => moveAt(next++) ?? { hangUp: hangUp ?? "caller_exhausted" },
    ahead: () => aheadOf(moveAt(next)),
  };
}

/** The interruption with which the recorded caller hung up, if it did so while the agent spoke. */
function interruptedByHangUp({ transcript }: StoredCall["result"]): Pick<CallerMove, "interrupts"> | undefined {
  const last = recordedTurns(transcript).at(-1);
  return last?.act.kind === "hang-up" && last.interrupts ? { interrupts: last.interrupts } : undefined;
}

/** How the recorded caller ended the call; `undefined` if it did not. */
export function hangUpOf({ endReason }: StoredCall["result"]): CallerHangUp | undefined {
  return endReason === "caller_ended" || endReason === "caller_exhausted" ? endReason : undefined;
}
