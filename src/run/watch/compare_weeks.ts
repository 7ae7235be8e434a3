import { ScenarioError } from "../../base/errors.ts";
import { holm, testDrop, wilson } from "../../base/statistics/mod.ts";
import { checkOptions, groupBy, isListOf, isRecord, OPTION, type OptionRules, rule } from "../../base/values/mod.ts";
import type {
  Measure,
  MeasureDrop,
  MeasureRate,
  ProductionComparison,
  WatchedCall,
  WatchedOutcome,
  WatchState,
} from "./types.ts";

/** Options of {@link compareWeeks}; `watchCalls()` has the same. */
export interface CompareWeeksOptions {
  /** Length of the window that is compared with the time before, in milliseconds. Default: a week. */
  readonly windowMs?: number;
  /** How long before the window the calls of the comparison start, in milliseconds. Default: four weeks. */
  readonly baselineMs?: number;
  /** Least number of calls of a measure in the window, and before it. Default: 20. */
  readonly minimum?: number;
  /** Share of comparisons without a change that name a measure, at most. Default: 0.01. */
  readonly level?: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The shortest and longest window, and time before it. */
const SHORTEST_MS = DAY_MS / 24;
const LONGEST_MS = 370 * DAY_MS;
const MINIMUM = 20;
/** Low, because a watch looks often: the looks of a week see mostly the same calls, but not only. */
const LEVEL = 0.01;

const span = rule(
  `a number of milliseconds from ${SHORTEST_MS} to ${LONGEST_MS}`,
  (value) => typeof value === "number" && value >= SHORTEST_MS && value <= LONGEST_MS,
);

/** Rules of the options of a comparison. */
export const WEEKS_RULES = {
  windowMs: span,
  baselineMs: span,
  minimum: OPTION.count,
  level: rule("a number above 0 and below 1", (value) => typeof value === "number" && value > 0 && value < 1),
} as const satisfies OptionRules;

/** The length of both spans, with the defaults. */
export function spansOf({ windowMs = WEEK_MS, baselineMs = 4 * WEEK_MS }: CompareWeeksOptions) {
  return { windowMs, baselineMs };
}

const ACTION = "Cannot compare weeks";

/**
 * Compares the calls of a window, the last week, with those of the weeks before: which expectation is met by fewer calls,
 * by more than noise, and since when.
 *
 * Each measure is tested for a drop at the start of the window or within it, and the p-values are corrected for the
 * number of measures: without any change, at most `level` of all comparisons name a measure. A measure with fewer than
 * `minimum` calls in the window or before it is `too-few`. The same calls give the same result on every machine.
 *
 * @param now End of the window. Calls count by their start.
 * @throws {ScenarioError} `invalid-option`.
 * @example
 * ```ts
 * import { compareWeeks } from "callweave/calls";
 *
 * const call = (hour: number) => ({
 *   id: `call ${hour}`,
 *   callId: null,
 *   startedAt: new Date(Date.UTC(2024, 4, 1) + hour * 3_600_000).toISOString(),
 *   outcomes: [{ kind: "criterion" as const, name: "The agent was polite", passed: hour < 700 || hour % 3 === 0 }],
 * });
 * const calls = Array.from({ length: 840 }, (_, hour) => call(hour));
 * const { state, measures } = compareWeeks(calls, new Date("2024-06-05T00:00:00Z"));
 * console.log(state, measures[0]?.drop?.since); // worse 2024-05-30T04:00:00.000Z
 * ```
 */
export function compareWeeks(
  calls: readonly WatchedCall[],
  now: Date,
  options: CompareWeeksOptions = {},
): ProductionComparison {
  const isTime = rule("a Date", (value) => value instanceof Date && !Number.isNaN(value.getTime()));
  const given = { calls: calls ?? null, now: now ?? null, options: options ?? null };
  const rules = { calls: rule("a list of watched calls", areCalls), now: isTime, options: OPTION.object };
  checkOptions(given, rules, ScenarioError, ACTION);
  checkOptions(options, WEEKS_RULES, ScenarioError, ACTION);
  const { windowMs, baselineMs } = spansOf(options);
  const { minimum = MINIMUM, level = LEVEL } = options;
  const end = now.getTime();
  const times = { start: end - windowMs - baselineMs, window: end - windowMs, end, windowMs };
  const timed = inOrder(calls, times);
  const series = seriesOf(timed, times.window);
  const tested = series.filter(({ recent, items }) => Math.min(recent, items.length - recent) >= minimum);
  // a measure without both outcomes cannot fall, whatever the order of its calls: it needs no share of the level
  const open = tested.filter(({ items }) => new Set(items.map(({ passed }) => passed)).size === 2);
  const shuffles = Math.max(LEAST_SHUFFLES, Math.ceil((SHUFFLES_PER_STEP * open.length) / level));
  const tests = open.map(({ key, items, recent }) =>
    testDrop(outcomesOf(items), { from: recent, minimum, shuffles, seed: key }),
  );
  const corrected = holm(tests.map(({ p }) => p));
  const measures = series.map((each): Measure => {
    const place = open.indexOf(each);
    const [test, correctedP] = [tests[place], corrected[place]];
    const isTested = tested.includes(each);
    const isWorse = correctedP !== undefined && correctedP <= level;
    const state: WatchState = isWorse ? "worse" : isTested ? "steady" : "too-few";
    return {
      ...describe(each, times),
      state,
      p: isTested ? (test?.p ?? 1) : null,
      correctedP: isTested ? (correctedP ?? 1) : null,
      drop: isWorse ? dropOf(each, placeOf(each, { minimum, level })) : null,
    };
  });
  const states = measures.map((measure) => measure.state);
  const inWindow = timed.filter(({ at }) => at >= times.window).length;
  return {
    state: states.includes("worse") ? "worse" : states.includes("steady") ? "steady" : "too-few",
    window: { from: iso(times.window), to: iso(end), calls: inWindow },
    baseline: { from: iso(times.start), to: iso(times.window), calls: timed.length - inWindow },
    minimum,
    level,
    measures: measures.sort(byImportance),
  };
}

/** Shuffles of a test at least, and per measure and level: so many that a corrected p-value can be half of the level. */
const LEAST_SHUFFLES = 999;
const SHUFFLES_PER_STEP = 2;
const MOST_CALLS_SHOWN = 5;

interface Times {
  readonly start: number;
  readonly window: number;
  readonly end: number;
  readonly windowMs: number;
}

interface TimedCall {
  readonly call: WatchedCall;
  readonly at: number;
}

/** Calls of both spans by their start, each once. Calls that start at once are ordered by their ids. */
function inOrder(calls: readonly WatchedCall[], { start, end }: Times): readonly TimedCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return [...byId.values()]
    .map((call) => ({ call, at: Date.parse(call.startedAt) }))
    .filter(({ at }) => at >= start && at < end)
    .sort((a, b) => a.at - b.at || (a.call.id < b.call.id ? -1 : 1));
}

interface Item extends TimedCall {
  readonly passed: boolean;
}

/** The outcomes of one measure, in the order of the calls. */
interface Series {
  readonly key: string;
  readonly outcome: WatchedOutcome;
  readonly items: Item[];
  /** Index of the first item of the window. */
  recent: number;
}

function seriesOf(calls: readonly TimedCall[], windowStart: number): readonly Series[] {
  const found = new Map<string, Series>();
  for (const { call, at } of calls) {
    const seen = new Set<string>();
    for (const outcome of call.outcomes) {
      const { kind, name, judge = null, threshold = null, passed } = outcome;
      const key = JSON.stringify([kind, name, judge, threshold]);
      if (seen.has(key)) continue;
      seen.add(key);
      const series = found.get(key) ?? { key, outcome, items: [], recent: 0 };
      found.set(key, series);
      series.items.push({ call, at, passed });
      if (at < windowStart) series.recent++;
    }
  }
  return [...found.values()];
}

function describe({ outcome, items, recent }: Series, times: Times) {
  const { kind, name, judge = null, threshold = null } = outcome;
  const { start, end, windowMs } = times;
  const bySpan = groupBy(items, ({ at }) => String(Math.ceil((end - at) / windowMs)));
  const spans = Array.from({ length: Math.ceil((end - start) / windowMs) }, (_, index) => {
    const [from, to] = [Math.max(start, end - (index + 1) * windowMs), end - index * windowMs];
    return { from: iso(from), to: iso(to), ...rateOf(bySpan.get(String(index + 1)) ?? []) };
  }).reverse();
  const [baseline, window] = [rateOf(items.slice(0, recent)), rateOf(items.slice(recent))];
  return { kind, name, judge, threshold, baseline, window, spans };
}

/** Index of the first call after the clearest drop in both spans; `null` if none stands out. */
function placeOf({ key, items }: Series, { minimum, level }: { readonly minimum: number; readonly level: number }) {
  const shuffles = Math.max(LEAST_SHUFFLES, Math.ceil(SHUFFLES_PER_STEP / level));
  const { p, at } = testDrop(outcomesOf(items), { from: 0, minimum, shuffles, seed: `${key} place` });
  return p <= level ? at : null;
}

function outcomesOf(items: readonly Item[]): readonly boolean[] {
  return items.map(({ passed }) => passed);
}

function dropOf({ items, recent }: Series, place: number | null): MeasureDrop {
  const from = place ?? recent;
  const failed = items.slice(from).filter(({ passed }) => !passed);
  return {
    since: place === null ? null : iso(items[place]?.at ?? 0),
    before: rateOf(items.slice(0, from)),
    after: rateOf(items.slice(from)),
    calls: failed
      .slice(-MOST_CALLS_SHOWN)
      .reverse()
      .map(({ call: { id, callId, startedAt } }) => ({ id, callId, startedAt })),
  };
}

function rateOf(items: readonly Item[]): MeasureRate {
  const [trials, passes] = [items.length, items.filter(({ passed }) => passed).length];
  if (trials === 0) return { passes, trials, rate: null, interval: null };
  return { passes, trials, rate: passes / trials, interval: wilson(passes, trials) };
}

const ORDER: { readonly [State in WatchState]: number } = { worse: 0, "too-few": 1, steady: 2 };

function byImportance(one: Measure, two: Measure): number {
  return ORDER[one.state] - ORDER[two.state] || (one.p ?? 1) - (two.p ?? 1) || (one.name < two.name ? -1 : 1);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function areCalls(value: unknown): boolean {
  return isListOf(value, (call) => {
    if (!isRecord(call) || typeof call.id !== "string" || typeof call.startedAt !== "string") return false;
    return isListOf(call.outcomes, isOutcome);
  });
}

function isOutcome(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, name, passed } = value;
  return typeof kind === "string" && typeof name === "string" && typeof passed === "boolean";
}
