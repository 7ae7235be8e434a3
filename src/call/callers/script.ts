import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, isRecord, OPTION, rule } from "../../base/values/mod.ts";
import type { Caller, CallerHangUp } from "./caller.ts";

const RULES = {
  lines: OPTION.texts,
  whenDone: rule('"caller_exhausted" or "caller_ended", or a caller', (value) => isHangUp(value) || isCaller(value)),
};

/**
 * Creates a caller that says the given lines verbatim, whatever the agent answers.
 *
 * @throws {ScenarioError} `invalid-option`.
 * @param whenDone End reason when no line is left, or a caller that continues from there. Default: `caller_exhausted`.
 */
export function createScriptedCaller(
  lines: readonly string[],
  whenDone: CallerHangUp | Caller = "caller_exhausted",
): Caller {
  checkOptions({ lines: lines ?? null, whenDone }, RULES, ScenarioError, "Cannot create a caller");
  let said = 0;
  return {
    next: async (history, options) => {
      const say = lines[said++];
      if (say !== undefined) return { say };
      return typeof whenDone === "string" ? { hangUp: whenDone } : await whenDone.next(history, options);
    },
  };
}

function isHangUp(value: unknown): boolean {
  return value === "caller_exhausted" || value === "caller_ended";
}

function isCaller(value: unknown): boolean {
  return isRecord(value) && "next" in value && typeof value.next === "function";
}
