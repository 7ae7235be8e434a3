import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, dropPromise, isRecord, OPTION, rule, shown, startTimeLimit } from "../../base/values/mod.ts";
import {
  actText,
  type CallerAct,
  type CallerLine,
  callerLinesOf,
  callerTurns,
  type Interruption,
  type PlannedInterruption,
  readAct,
  readInterruption,
  recordedTurns,
} from "../../document/scenario/mod.ts";
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
  const lines = callerLinesOf(recordedTurns(call.transcript));
  return createSteppingCaller(lines, call.endReason === "caller_ended" ? "caller_ended" : "caller_exhausted");
}

/** The English name of a language's tag: `de-AT` is Austrian German. Other texts stay as they are. */
function languageNamed(tag: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Persona for scenarios without one. */
const ANYBODY = "An ordinary caller, with nothing special in mind. You answer what the agent asks as well as you can.";

/**
 * Creates a caller that a model plays. A line with a hang-up is spoken first; an empty line only hangs up.
 *
 * @param persona Who the caller is, what they know and what they want. An ordinary caller when empty.
 * @param requests How the model is called, and the `language` that the caller speaks, such as `de`. Default: that of the
 *   persona.
 * @throws {ScenarioError} `invalid-option`.
 * @throws {ModelError} From `next` when the model fails or its answer cannot be used.
 */
export function createPersonaCaller(
  persona: string,
  model: Model,
  { language, ...requests }: RequestOptions & { readonly language?: string | undefined } = {},
): Caller {
  checkOptions({ persona: persona ?? null }, { persona: OPTION.text }, ScenarioError, "Cannot create a caller");
  return {
    next: async (history, options = {}) => {
      const input = {
        persona: persona.trim() || ANYBODY,
        ...(language === undefined ? {} : { language: languageNamed(language) }),
        conversation_history: [...history],
      };
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
 * Creates a caller that says the lines of a scenario and takes its steps, whatever the agent answers.
 *
 * @param whenDone End reason when no line is left, or a caller that continues from there. Default: `caller_exhausted`.
 */
export function createSteppingCaller(
  lines: readonly CallerLine[],
  whenDone: CallerHangUp | Caller = "caller_exhausted",
): Caller {
  const moves = callerTurns(lines).map(({ act, interrupts, hangsUp }) => moveOf(act, { interrupts, hangsUp }));
  let taken = 0;
  return {
    next: async (history, options) => {
      const move = moves[taken++];
      if (move) return move;
      return typeof whenDone === "string" ? { hangUp: whenDone } : await whenDone.next(history, options);
    },
    ahead: () => (moves[taken] || typeof whenDone === "string" ? aheadOf(moves[taken]) : whenDone.ahead?.()),
  };
}

/** What a caller says to get the floor, by its language. */
const FLOOR_WORDS: { readonly [language: string]: string } = {
  en: "Wait, wait.",
  de: "Moment, Moment.",
  fr: "Attendez, attendez.",
  es: "Espere, espere.",
  pt: "Espere, espere.",
  it: "Aspetti, aspetti.",
  nl: "Wacht, wacht.",
  hi: "रुकिए, रुकिए।",
  ja: "ちょっと待ってください。",
  ar: "لحظة، لحظة.",
};

/**
 * A caller who talks over the agent again and again: with a few words, because what it wants to say is known only when the
 * agent's reply is. The first reply is heard to its end.
 *
 * @param language BCP 47 tag of the caller's language.
 */
export function createInterruptingCaller(
  caller: Caller,
  { every, after_words: words }: { readonly every: number; readonly after_words: number },
  language = "en",
): Caller {
  const say = FLOOR_WORDS[new Intl.Locale(language).language] ?? "Wait, wait.";
  const interrupts: Interruption = { after_words: words };
  let taken = 0;
  const isDue = () => taken > 0 && taken % every === every - 1;
  return {
    next: async (history, options) => {
      const due = isDue();
      taken += 1;
      return due ? { say, interrupts } : await caller.next(history, options);
    },
    ahead: () => (isDue() ? { after: interrupts, act: { kind: "words", text: say } } : caller.ahead?.()),
  };
}

/** The move of a turn. An act that is no words has a text for agents that only read. */
export function moveOf(
  act: CallerAct,
  { interrupts, hangsUp }: { readonly interrupts?: Interruption | undefined; readonly hangsUp?: boolean | undefined },
): CallerMove {
  const over = interrupts ? { interrupts } : {};
  if (act.kind === "hang-up") return { hangUp: "caller_ended", ...over };
  const isCut = act.kind === "words" && act.cut === true;
  return {
    say: actText(act),
    ...(act.kind === "words" && !isCut ? {} : { act }),
    ...(hangsUp || isCut ? { hangUp: "caller_ended" } : {}),
    ...over,
  };
}

/** What a move begins with while the agent still speaks; `undefined` for one that waits for its end. */
export function aheadOf(move: CallerMove | undefined): PlannedInterruption | undefined {
  if (!move?.interrupts) return undefined;
  const { say } = move;
  return { after: move.interrupts, act: say === undefined ? { kind: "hang-up" } : actOf({ ...move, say }) };
}

/** What the caller does in a move with words, or with an act instead of them. */
export function actOf({ say, act }: { readonly say: string; readonly act?: CallerAct | undefined }): CallerAct {
  return act ?? { kind: "words", text: say };
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
    ...(caller.ahead ? { ahead: caller.ahead } : {}),
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
  const interrupts = readInterruption(move.interrupts);
  const over = interrupts ? { interrupts } : {};
  if (say === undefined) return { hangUp: hangUp ?? "caller_ended", ...over };
  const act = readAct(move.act);
  return { say, ...(act ? { act } : {}), ...(hangUp === undefined ? {} : { hangUp }), ...over };
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
export type CallerMove = MoveOver &
  (
    | {
        readonly say: string;
        readonly hangUp?: CallerHangUp;
        /** What a caller does who does not say the words, but is silent or presses keys. `say` describes it then. */
        readonly act?: CallerAct;
      }
    | { readonly say?: undefined; readonly hangUp: CallerHangUp }
  );

/** What a move of the caller begins with. */
export interface MoveOver {
  /** The move begins while the agent speaks. `ahead()` has named it before the agent's reply. */
  readonly interrupts?: Interruption;
}

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
  /**
   * The interruption with which the next move begins, if it does. It is asked before the agent's reply. Absent: the
   * caller never interrupts.
   */
  readonly ahead?: () => PlannedInterruption | undefined;
}
