import type { Caller, CallerHangUp } from "./caller.ts";

/**
 * A caller that says the given lines to the letter, whatever the agent answers.
 *
 * @param whenDone How the call ends when no line is left and the agent has not ended it. Default: `caller_exhausted`.
 */
export function createScriptedCaller(lines: readonly string[], whenDone: CallerHangUp = "caller_exhausted"): Caller {
  let said = 0;
  return {
    next: async () => {
      const say = lines[said++];
      return say === undefined ? { hangUp: whenDone } : { say };
    },
  };
}
