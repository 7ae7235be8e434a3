import { ScenarioError } from "../../base/errors.ts";
import { dropPromise, isRecord, shown, startTimeLimit } from "../../base/values/mod.ts";
import type { CallClock } from "../models/mod.ts";
import type { Caller, CallerMove } from "./caller.ts";

/** Options of {@link checkedCaller}. */
export interface CheckedCallerOptions {
  /** Time limit of one turn of the caller, in milliseconds. */
  readonly limitMs: number;
  readonly clock: CallClock;
}

/**
 * Wraps a custom caller with validation and a time limit.
 *
 * @throws {ScenarioError} `callback-return` for an object without `next`; from `next`: `callback-return`, `callback-failed`.
 */
export function checkedCaller(caller: unknown, { limitMs, clock }: CheckedCallerOptions): Caller {
  if (!isCaller(caller)) {
    dropPromise(caller);
    const state = caller instanceof Promise ? "a promise" : shown(caller);
    throw wrong(`createCaller() returned ${state}`, "createCaller", "Return an object with next(), or undefined");
  }
  return {
    next: async (history, options) => {
      using limit = startTimeLimit(limitMs, options?.signal, clock);
      try {
        return checkedMove(await limit.until(caller.next(history, { ...options, signal: limit.signal })));
      } catch (error) {
        throw limit.expired() ? late(limitMs) : error;
      }
    },
  };
}

const HINT = 'Return { say: "…" }, { hangUp: "caller_ended" } or both';

function checkedMove(move: unknown): CallerMove {
  if (!isRecord(move)) throw wrong(`the caller's next() returned ${shown(move)}`, "next", HINT);
  const { say, hangUp } = move;
  if (say !== undefined && typeof say !== "string")
    throw wrong(`the caller's next() returned ${shown(say)} to say`, "next", HINT);
  if (hangUp !== undefined && hangUp !== "caller_ended" && hangUp !== "caller_exhausted")
    throw wrong(`the caller's next() hung up with ${shown(hangUp)}`, "next", HINT);
  if (say === undefined && hangUp === undefined)
    throw wrong("the caller's next() neither said anything nor hung up", "next", HINT);
  if (say === undefined) return { hangUp: hangUp ?? "caller_ended" };
  return hangUp === undefined ? { say } : { say, hangUp };
}

function isCaller(value: unknown): value is Caller {
  return isRecord(value) && typeof value.next === "function";
}

function wrong(state: string, name: string, hint: string): ScenarioError {
  return new ScenarioError(`Cannot run the call: ${state}`, { code: "callback-return", path: [name], hint });
}

function late(limitMs: number): ScenarioError {
  return new ScenarioError(`Cannot run the call: the caller's next() did not answer within ${limitMs} ms`, {
    code: "callback-failed",
    path: ["next"],
    hint: "Answer sooner, or raise limits.turnTimeoutMs",
  });
}
