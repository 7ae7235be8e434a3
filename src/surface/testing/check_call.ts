import { CallweaveError, isCallweaveError } from "../../base/errors.ts";
import { isRecord, shown, withoutCommands } from "../../base/values/mod.ts";
import { checkExpectations, checkFlow } from "../../call/judges/mod.ts";
import { type ScenarioInput, toScenario } from "../../document/scenario/mod.ts";
import type { Call, CheckResult } from "../../document/transcript/mod.ts";
import { formatTranscript } from "../reporters/mod.ts";

/** Whether a call is as expected, and the matcher's message. */
export interface CallCheck {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Expectations on a call, as a scenario has them. */
export type CallExpectation = Pick<ScenarioInput, "visits" | "extracts" | "ends">;

/**
 * Checks a call by the same rules as a scenario.
 *
 * @param action For messages: "toVisit()".
 * @throws {CallweaveError} `invalid-option` if the value is not a call, or if there is nothing to check;
 *   `invalid-scenario` for wrong expectations.
 */
export function checkTestedCall(call: unknown, expected: CallExpectation, action: string): CallCheck {
  if (!isCall(call))
    throw new CallweaveError(`Cannot check a call with ${action}: it is ${shown(call)}`, {
      code: "invalid-option",
      path: ["call"],
      hint: "Pass a conversation(), or a result of run()",
    });
  checkNotEmpty(expected, action);
  const { visits, avoids, ends, extracts, calls } = toScenario({ name: action, ...expected });
  const { transcript, nodesVisited, toolsCalled, endReason, endDetail } = call;
  const variables = Object.fromEntries(Object.entries(call.variables).map(([name, value]) => [name, String(value)]));
  const finished = { transcript, nodesVisited, toolsCalled, variables, endReason, endDetail };
  const flow = checkFlow({ visits, avoids, ...(ends ? { ends } : {}) }, finished);
  const checks = [...flow, ...checkExpectations({ extracts, calls }, finished)].filter(({ kind }) => kind in expected);
  const wrong = checks.filter(({ passed }) => !passed);
  return {
    pass: wrong.length === 0,
    message: () =>
      withoutCommands(
        [...(wrong.length > 0 ? wrong : checks).map(line), "", formatTranscript(transcript).trimEnd()].join("\n"),
      ),
  };
}

const HINTS = {
  visits: "Pass at least one node",
  extracts: "Pass at least one variable with its value",
  ends: 'Pass a reason, such as "agent_ended"',
} as const satisfies { readonly [Kind in keyof CallExpectation]-?: string };

/** Throws for an expectation that every call would meet. */
function checkNotEmpty(expected: CallExpectation, action: string): void {
  for (const kind of ["visits", "extracts", "ends"] as const) {
    const value = expected[kind];
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    if (!(kind in expected) || (value !== undefined && value !== null && !isEmpty)) continue;
    throw new CallweaveError(`Cannot check a call with ${action}: there is nothing to check`, {
      code: "invalid-option",
      path: [kind],
      hint: HINTS[kind],
    });
  }
}

function line({ kind, expected, passed, reason }: CheckResult): string {
  return `${kind} ${expected}${passed ? ", where it should not" : ""}: ${reason}`;
}

function isCall(call: unknown): call is Call {
  if (typeof call !== "object" || call === null || isCallweaveError(call)) return false;
  const { transcript, nodesVisited, toolsCalled, variables } = call as Partial<Record<string, unknown>>; // a class instance
  return [transcript, nodesVisited, toolsCalled].every(Array.isArray) && isRecord(variables);
}
