import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, dropPromise, isRecord, OPTION, rule, shown, startTimeLimit } from "../../base/values/mod.ts";
import type { Call } from "../../document/transcript/mod.ts";
import {
  type CallClock,
  type CallUsage,
  callerSignature,
  callModel,
  type HistoryLine,
  type Model,
  type RequestOptions,
} from "../models/mod.ts";

const TRANSCRIPT = rule(
  "a list of messages with { role, content }",
  (value) => Array.isArray(value) && value.every((line: unknown) => isRecord(line) && typeof line.content === "string"),
);

/**
 * Creates a caller that repeats the lines of a recorded call.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function createReplayCaller(call: Pick<Call, "transcript" | "endReason">): Caller {
  const { transcript = null } = call ?? {};
  checkOptions({ transcript }, { transcript: TRANSCRIPT }, ScenarioError, "Cannot replay a call");
  const lines = call.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  return createScriptedCaller(lines, call.endReason === "caller_ended" ? "caller_ended" : "caller_exhausted");
}

/** Persona for scenarios without one. */
const ANYBODY = "An ordinary caller, with nothing special in mind. You answer what the agent asks as well as you can.";

/**
 * Creates a caller that a model plays. A line with a hang-up is spoken first; an empty line only hangs up.
 *
 * @param persona Who the caller is, what they know and what they want. An ordinary caller when empty.
 * @throws {ScenarioError} `invalid-option`.
 * @throws {ModelError} From `next` when the model fails or its answer cannot be used.
 */
export function createPersonaCaller(persona: string, model: Model, requests: RequestOptions = {}): Caller {
  checkOptions({ persona: persona ?? null }, { persona: OPTION.text }, ScenarioError, "Cannot create a caller");
  return {
    next: async (history, options = {}) => {
      const input = { persona: persona.trim() || ANYBODY, conversation_history: [...history] };
      const { message, should_end } = await callModel(model, callerSignature, input, {
        ...requests,
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.onUsage ? { onUsage: options.onUsage } : {}),
      });
      const say = message.trim();
      if (!say) return { hangUp: "caller_ended" };
      return should_end ? { say, hangUp: "caller_ended" } : { say };
    },
  };
}

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
  if (!isNamedCaller(caller)) {
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

function isNamedCaller(value: unknown): value is Caller {
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
