import { ScenarioError } from "../errors.ts";
import { checkOptions, OPTION, oneOf } from "../graph/mod.ts";
import type { Caller, CallerHangUp } from "./caller.ts";

const RULES = { lines: OPTION.texts, whenDone: oneOf("caller_exhausted", "caller_ended") };

/**
 * A caller that says the given lines to the letter, whatever the agent answers.
 *
 * @throws {ScenarioError} `invalid-option`.
 * @param whenDone How the call ends when no line is left and the agent has not ended it. Default: `caller_exhausted`.
 */
export function createScriptedCaller(lines: readonly string[], whenDone: CallerHangUp = "caller_exhausted"): Caller {
  checkOptions({ lines: lines ?? null, whenDone }, RULES, ScenarioError, "Cannot make a caller");
  let said = 0;
  return {
    next: async () => {
      const say = lines[said++];
      return say === undefined ? { hangUp: whenDone } : { say };
    },
  };
}
