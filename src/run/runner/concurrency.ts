import type { LanguageModelMiddleware } from "ai";
import type { LimitFunction } from "p-limit";
import pLimit from "p-limit";
import { isCallweaveError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";
import { isOverloaded, modelName } from "../../call/models/mod.ts";

/** Initial number of concurrent calls, before anything is known about the models' servers. */
const FIRST_LIMIT = 16;
/** The first limit of a server that has a queue with {@link FIRST_LIMIT} calls already. */
const LOWER_FIRST_LIMIT = 8;
/**
 * Maximum number of concurrent calls. Bun sends at most 256 requests at a time, and with more calls one core spends so much
 * time on them that answers seem slower than they are.
 */
const MOST_CALLS = 256;

/** Number of answers to compare before the limit doubles; with a higher limit, as many as the limit. */
const FEWEST_ANSWERS = 8;
/** Number of answers to compare once the limit no longer doubles: smaller differences matter then. */
const FEWEST_LATER = 16;
/** The limit grows while answers take at most this much longer than at the first limit. */
const STILL_FAST = 1.4;
/** The limit shrinks when answers take this much longer. In between, it stays. */
const TOO_SLOW = 1.8;
/** Twice the requests take at least this much longer if there was a queue before. */
const QUEUED_BEFORE = 1.9;
/** Growth after the first slowdown or refusal; before, the limit doubles. */
const STEP = 1 / 8;
/** How close to a refused limit the limit grows again at first. */
const BELOW_REFUSED = 0.9;
/** Measurements without a refusal after which a higher limit is tried again. */
const CALM = 16;

/**
 * Creates a limit that grows while answers neither slow down nor are refused.
 *
 * It doubles until the first sign of a limit, as TCP's slow start does, and then grows by an eighth. A refusal halves
 * it at once and is remembered: the limit stays below that value and tries more only after a while. Slower answers
 * bring it down to what the server can answer without a queue (Little's law), at most by half and not below the first
 * limit, because servers also slow down for other reasons. If the first doubling makes answers take twice as long, the
 * server had a queue at the first limit, so that its latency there was not typical: the limit starts again from a lower
 * one. It has no clock: answers are its only input.
 */
export function createAdaptiveLimit({ most = MOST_CALLS }: { readonly most?: number } = {}): AdaptiveLimit {
  let first = Math.min(FIRST_LIMIT, most);
  const kinds = new Map<string, TypicalLatency>();
  let limit = first;
  let highest = most;
  let epoch = 0;
  let isDoubling = true;
  let isRecovering = false;
  let calm = 0;
  let window = emptyWindow();

  const change = (to: number) => {
    if (to !== limit) epoch += 1;
    limit = to;
    window = emptyWindow();
  };
  const halve = () => {
    highest = Math.max(1, Math.floor(limit * BELOW_REFUSED));
    isDoubling = false;
    isRecovering = true;
    calm = 0;
    change(Math.max(1, Math.floor(limit / 2)));
  };
  const grow = () => {
    if (limit >= highest) {
      calm += 1;
      if (calm >= CALM) {
        calm = 0;
        highest = Math.min(most, stepAbove(highest));
      }
    }
    change(Math.min(highest, isDoubling ? limit * 2 : stepAbove(limit)));
  };
  /** Forgets the latencies at the first limit, which were those of a queue. */
  const startLower = () => {
    first = Math.min(LOWER_FIRST_LIMIT, most);
    kinds.clear();
    change(first);
  };
  /** Decides after a number of answers whether the limit changes. */
  const decide = (ratio: number) => {
    if (window.refused > 0) return halve();
    isRecovering = false;
    const hadQueue = isDoubling && limit === 2 * FIRST_LIMIT && ratio > QUEUED_BEFORE;
    if (ratio > STILL_FAST) isDoubling = false;
    if (hadQueue) return startLower();
    const isFull = window.mostRunning >= limit;
    const isHeld = window.waiting * 2 > window.answers; // more calls would only wait for the run's own limits
    if (ratio > TOO_SLOW && limit > first) change(Math.max(first, Math.ceil(limit / Math.min(2, ratio))));
    else if (ratio <= STILL_FAST && isFull && !isHeld) grow();
    else window = emptyWindow();
  };
  return {
    get limit() {
      return limit;
    },
    begin: () => epoch,
    end: ({ epoch: begun, kind, latencyMs, refused, running, waiting }) => {
      if (begun !== epoch) return;
      if (refused && !isRecovering) return halve();
      window.answers += 1;
      window.mostRunning = Math.max(window.mostRunning, running);
      if (waiting) window.waiting += 1;
      if (refused) window.refused += 1;
      else {
        const known = kinds.get(kind) ?? createTypicalLatency();
        kinds.set(kind, known);
        known.add(latencyMs, limit === first);
        window.latencies.push({ kind: known, ms: latencyMs });
      }
      if (window.refused >= limit) return halve(); // half as many are still too many
      const enough = Math.max(isDoubling ? FEWEST_ANSWERS : FEWEST_LATER, limit);
      if (window.answers < enough) return;
      const ratios = window.latencies.flatMap(({ kind: { ms: typical }, ms }) => (typical ? [ms / typical] : []));
      if (window.refused > 0 || ratios.length * 2 > enough) decide(median(ratios));
    },
  };
}

/** A finished request, from which the limit learns. */
export interface RequestOutcome {
  /** What {@link AdaptiveLimit.begin} returned. */
  readonly epoch: number;
  /** Requests of one kind, such as those of one signature to one model, take about equally long. */
  readonly kind: string;
  readonly latencyMs: number;
  /** Whether the server refused the request because there were too many. */
  readonly refused: boolean;
  /** Calls that were running at the time. */
  readonly running: number;
  /** Whether other requests were waiting for the run's own limits at the time. */
  readonly waiting: boolean;
}

/** A limit of concurrent calls that adapts to the responses of the models' servers. */
export interface AdaptiveLimit {
  readonly limit: number;
  /** Marks the start of a request. Requests that started under another limit say nothing about the present one. */
  begin(): number;
  end(outcome: RequestOutcome): void;
}

interface Window {
  readonly latencies: { readonly kind: TypicalLatency; readonly ms: number }[];
  answers: number;
  refused: number;
  waiting: number;
  mostRunning: number;
}

function stepAbove(limit: number): number {
  return limit + Math.max(1, Math.floor(limit * STEP));
}

function emptyWindow(): Window {
  return { latencies: [], answers: 0, refused: 0, waiting: 0, mostRunning: 0 };
}

/** A limit of concurrent calls. */
export interface Concurrency {
  /** Starts a call as soon as a slot is free; calls start in the order in which they were added. */
  readonly schedule: LimitFunction;
  /** Adds request watches around the run's own request limits. */
  readonly around: (limits: readonly LanguageModelMiddleware[]) => readonly LanguageModelMiddleware[];
}

/** Options of {@link createConcurrency}. */
export interface ConcurrencyOptions {
  /** Maximum number of calls that the run's own request limits can keep busy. */
  readonly most?: number | undefined;
  /** Returns monotonic milliseconds. Default: the machine's. */
  readonly now?: () => number;
}

/**
 * Limits the calls that run at a time: to a number, or with `auto` to as many as the models' servers answer without
 * slowing down or refusing requests.
 */
export function createConcurrency(
  concurrency: number | "auto",
  { most = MOST_CALLS, now = () => performance.now() }: ConcurrencyOptions = {},
): Concurrency {
  if (concurrency !== "auto") return { schedule: pLimit(concurrency), around: (limits) => limits };
  const adaptive = createAdaptiveLimit({ most: Math.min(most, MOST_CALLS) });
  const slots = pLimit(adaptive.limit);
  const requests = pLimit(Number.POSITIVE_INFINITY);
  const update = () => {
    const { limit } = adaptive;
    // when the limit falls, running calls continue, but send no more concurrent requests than the limit
    requests.concurrency = slots.activeCount > limit ? limit : Number.POSITIVE_INFINITY;
    if (slots.concurrency !== limit) slots.concurrency = limit;
  };
  const { outer, inner } = createRequestWatch(adaptive, {
    running: () => slots.activeCount,
    now,
    gate: (send) => requests(send),
    onAnswer: update,
  });
  return { schedule: slots, around: (limits) => [outer, ...limits, inner] };
}

/** Middleware that reports requests to an adaptive limit. */
export interface RequestWatch {
  /** Goes around the run's own request limits. */
  readonly outer: LanguageModelMiddleware;
  /** Goes inside them, next to the request. */
  readonly inner: LanguageModelMiddleware;
}

export interface RequestWatchOptions {
  /** Returns the number of calls that run. */
  readonly running: () => number;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Sends a request as soon as not too many are in flight. */
  readonly gate: <Result>(send: () => PromiseLike<Result>) => Promise<Result>;
  /** Called after a request was reported to the limit. */
  readonly onAnswer: () => void;
}

/**
 * Watches the requests of all calls. Models inside Callweave are ignored, because no server answers them; so are
 * requests that fail for other reasons than too much load.
 */
function createRequestWatch(
  adaptive: AdaptiveLimit,
  { running, now, gate, onAnswer }: RequestWatchOptions,
): RequestWatch {
  const waiting = new Set<object>();
  return {
    outer: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, model, params }) => {
        if (isEmbedded(model)) return await doGenerate();
        waiting.add(params);
        try {
          return await doGenerate();
        } finally {
          waiting.delete(params); // a request that was aborted while it waited
        }
      },
    },
    inner: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, model, params }) => {
        if (isEmbedded(model)) return await doGenerate();
        waiting.delete(params);
        return await gate(async () => {
          params.abortSignal?.throwIfAborted(); // aborted while it waited
          const begun = now();
          const epoch = adaptive.begin();
          const end = (refused: boolean) => {
            const kind = `${modelName(model)} ${signatureOf(params.providerOptions)}`;
            const latencyMs = now() - begun;
            adaptive.end({ epoch, kind, latencyMs, refused, running: running(), waiting: waiting.size > 0 });
          };
          try {
            const answer = await doGenerate();
            end(false);
            return answer;
          } catch (error) {
            if (isOverloaded(error)) end(true);
            else if (isCallweaveError(error) && error.code === "model-timeout") end(false); // the slowest of answers
            throw error;
          } finally {
            onAnswer();
          }
        });
      },
    },
  };
}

function isEmbedded({ provider }: { readonly provider: string }): boolean {
  return provider === "callweave";
}

function signatureOf(options: unknown): string {
  const own = isRecord(options) && isRecord(options.callweave) ? options.callweave.signature : undefined;
  return typeof own === "string" ? own : "";
}

/** Answers after which the typical latency of a kind of request is known. */
const FIRST_ANSWERS = 8;
/** Maximum number of answers for the typical latency at the first limit. */
const MOST_ANSWERS = 32;
/** Answers of each later measurement. */
const LATER_ANSWERS = 64;

/** The latency of one kind of request while the server is not busy with the run. */
export interface TypicalLatency {
  /** `undefined` until there are enough answers. */
  readonly ms: number | undefined;
  /**
   * Adds the latency of an answer.
   *
   * @param isAtStart Whether the run still has its first limit. Its answers set the typical latency; later ones, of a
   *   busier server, can only lower it, as after a cold start.
   */
  add(ms: number, isAtStart: boolean): void;
}

/** Creates the measurement of one kind of request. */
function createTypicalLatency(): TypicalLatency {
  let typical: number | undefined;
  let answers: number[] = [];
  return {
    get ms() {
      return typical;
    },
    add: (ms, isAtStart) => {
      answers.push(ms);
      if (answers.length < FIRST_ANSWERS) return;
      if (isAtStart) answers = answers.slice(-MOST_ANSWERS);
      if (isAtStart || typical === undefined) typical = median(answers);
      if (isAtStart || answers.length < LATER_ANSWERS) return;
      typical = Math.min(typical, median(answers));
      answers = [];
    },
  };
}

/** The median. Unlike the mean, it is robust against one outlier. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
