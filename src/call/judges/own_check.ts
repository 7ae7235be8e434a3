import { ScenarioError } from "../../base/errors.ts";
import { type Clock, isRecord, readableError, shown, startTimeLimit, thrownWords } from "../../base/values/mod.ts";
import { type CheckFunction, DEFAULT_THRESHOLD, type ScenarioCheck } from "../../document/scenario/mod.ts";
import type { CheckResult } from "../../document/transcript/mod.ts";

/** Default time limit of a check, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Names of errors that indicate a bug in a check. Assertions throw other errors. */
const MISTAKES = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError", "EvalError", "URIError"]);

/** The call that a check gets. */
type CheckedCall = Parameters<CheckFunction>[0];

/** Options of {@link runOwnChecks}. */
interface OwnCheckOptions {
  readonly threshold?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Clock of the time limits. Absent: the machine's. */
  readonly timers?: Pick<Clock, "after"> | undefined;
}

/**
 * Runs the function checks of a scenario, one after another.
 *
 * `true`, `undefined` and a score at or above the threshold pass. `false`, a lower score and a thrown error fail.
 *
 * @throws {ScenarioError} `check-answer` for any other return value, `check-timeout` after the time limit,
 *   `check-failed` for a bug in the check such as a TypeError, because it says nothing about the call.
 */
export async function runOwnChecks(
  checks: readonly ScenarioCheck[],
  call: CheckedCall,
  options: OwnCheckOptions = {},
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runOwnCheck(check, call, options));
  return results;
}

async function runOwnCheck(check: ScenarioCheck, call: CheckedCall, options: OwnCheckOptions): Promise<CheckResult> {
  const { name, judge, checkTimeoutMs: timeoutMs = DEFAULT_TIMEOUT_MS } = check;
  const threshold = check.threshold ?? options.threshold ?? DEFAULT_THRESHOLD;
  using limit = startTimeLimit(timeoutMs, options.signal, options.timers);
  let answer: unknown;
  try {
    const { signal } = limit;
    const asked = Promise.resolve().then(() => judge(copyOf(call), { signal }));
    answer = await limit.until<unknown>(asked);
  } catch (thrown) {
    const error = readableError(thrown);
    if (options.signal?.aborted) throw error;
    if (limit.expired()) throw late(name, timeoutMs);
    if (error !== thrown) throw mistaken(name, thrownWords(error), error);
    if (error instanceof Error && MISTAKES.has(error.name)) {
      throw mistaken(name, `it threw ${error.name}: ${error.message}`, error);
    }
    const reason = isRecord(error) && typeof error.message === "string" ? error.message : `it threw ${shown(error)}`;
    return { kind: "check", expected: name, passed: false, reason };
  }
  if (answer === undefined) return { kind: "check", expected: name, passed: true, reason: "it did not throw" };
  if (typeof answer === "boolean")
    return { kind: "check", expected: name, passed: answer, reason: `it returned ${answer}` };
  if (typeof answer !== "number" || !(answer >= 0 && answer <= 1)) throw unusable(name, answer);
  const reason = `it scores ${answer}, needs ${threshold}`;
  return { kind: "check", expected: name, passed: answer >= threshold, reason, score: answer, threshold };
}

/** Copies the call, so that a check cannot modify what is judged next or stored. */
function copyOf(call: CheckedCall): CheckedCall {
  return {
    ...call,
    transcript: call.transcript.map((message) => ({ ...message })),
    nodesVisited: [...call.nodesVisited],
    toolsCalled: call.toolsCalled.map((toolCall) => ({ ...toolCall })),
    variables: { ...call.variables },
  };
}

function unusable(name: string, answer: unknown): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": it returned ${shown(answer)}`, {
    code: "check-answer",
    path: ["checks", name],
    hint: "Return true, false or a score from 0 to 1, or throw",
  });
}

function late(name: string, timeoutMs: number): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": it took longer than ${timeoutMs} ms`, {
    code: "check-timeout",
    path: ["checks", name],
    hint: "Make the check settle, or raise checkTimeoutMs",
  });
}

function mistaken(name: string, state: string, cause: unknown): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": ${state}`, {
    code: "check-failed",
    path: ["checks", name],
    hint: "Fix the check; to fail a call, throw an assertion or return false",
    cause,
  });
}
