import { ScenarioError } from "../errors.ts";
import { checkOptions, isRecord, type OptionRules, rule } from "../values/mod.ts";

/**
 * The value below which a share of the values lies, interpolated between the two closest ones.
 *
 * @param sorted In ascending order; at least one.
 * @param share From 0 to 1: 0.5 for the median.
 * @see R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, The American Statistician 50 (1996), type 7.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** How many of some trials passed. */
export interface Proportion {
  readonly passes: number;
  /** Trials that passed or failed, from 1. */
  readonly trials: number;
}

/** Trials of one scenario in two runs. */
export interface ProportionPair {
  readonly base: Proportion;
  readonly head: Proportion;
}

/** Whether a value is a {@link Proportion}. */
function isProportion(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("passes" in value) || !("trials" in value)) return false;
  const { passes, trials } = value;
  return isCount(passes) && isCount(trials) && trials >= 1 && passes <= trials;
}

/** Rule of a proportion. */
const PROPORTION = rule("{ passes, trials } with at least one trial, and no more passes than trials", isProportion);

/** @throws {ScenarioError} `invalid-option`. */
export function checkPair(base: Proportion, head: Proportion, action: string): void {
  checkNumbers({ base, head }, { base: PROPORTION, head: PROPORTION }, action);
}

/**
 * Estimates pass^k of one scenario as tau-bench does: the probability that `k` calls all pass, `C(passes, k) / C(trials,
 * k)`. For a run, take the mean over its scenarios.
 *
 * @param k Number of calls that must all pass, from 1 to the number of trials.
 * @param trials Trials that passed or failed.
 * @param passes Trials that passed.
 * @throws {ScenarioError} `invalid-option`.
 * @see S. Yao et al., τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains (2024).
 * @example
 * ```ts
 * import { passHat } from "callweave/statistics";
 *
 * const both = passHat(2, 4, 3); // 3 of 4 trials passed: two calls both pass in 0.5 of all cases
 * ```
 */
export function passHat(k: number, trials: number, passes: number): number {
  const upTo = (from: number, high: number, what: string) =>
    rule(
      `a whole number from ${from} to the number of ${what}`,
      (value) => isCount(value) && value >= from && !(isCount(high) && value > high),
    );
  checkNumbers(
    { k, trials, passes },
    { k: upTo(1, trials, "trials"), trials: NUMBERS.count, passes: upTo(0, trials, "trials") },
    "estimate pass^k",
  );
  let share = 1;
  for (let index = 0; index < k; index += 1) share *= Math.max(0, passes - index) / (trials - index);
  return share;
}

/** An interval that covers the true value with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval of a pass rate, without continuity correction. It stays within 0 and 1, and is useful for few
 * trials and for rates near 0 and 1.
 *
 * @param passes Trials that passed.
 * @param trials Trials that passed or failed. Without any the interval is 0 to 1.
 * @param confidence How often such intervals cover the true rate. Default: 0.95.
 * @throws {ScenarioError} `invalid-option`.
 * @see E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
 * @example
 * ```ts
 * import { wilson } from "callweave/statistics";
 *
 * const { low, high } = wilson(8, 10); // 0.49 to 0.94
 * ```
 */
export function wilson(passes: number, trials: number, confidence = 0.95): Interval {
  const atMost = rule(
    "a whole number from 0 to the number of trials",
    (value) => isCount(value) && !(isCount(trials) && value > trials),
  );
  checkNumbers(
    { passes, trials, confidence },
    { passes: atMost, trials: NUMBERS.count, confidence: NUMBERS.share },
    "compute an interval",
  );
  if (trials === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const rate = passes / trials;
  const scale = 1 + (z * z) / trials;
  const middle = rate + (z * z) / (2 * trials);
  const half = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: passes === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: passes === trials ? 1 : Math.min(1, (middle + half) / scale),
  };
}

/** Maximum number of steps; enough for any probability that floating point distinguishes from 1. */
const MOST_STEPS = 200;

/**
 * The standard normal distribution's quantile: 0.975 → 1.96. Newton's method, on the distribution's series.
 *
 * @param probability Above 0 and below 1.
 */
export function normalQuantile(probability: number): number {
  if (probability < 0.5) return -normalQuantile(1 - probability);
  const area = probability - 0.5;
  let quantile = 0;
  // From 0 the steps only grow towards the quantile, because the curve is concave there.
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { density, areaFromZero } = normalAt(quantile);
    const next = quantile + (area - areaFromZero) / density;
    if (!(next > quantile)) return quantile;
    quantile = next;
  }
  return quantile;
}

/** Density at `x` and the area between 0 and `x`: density × (x + x³/3 + x⁵/(3·5) + …). */
function normalAt(x: number): { readonly density: number; readonly areaFromZero: number } {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let term = x;
  let sum = x;
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return { density, areaFromZero: density * sum };
}

/**
 * How the trials of a scenario become one verdict: a minimum share of them passes, all pass, or any passes.
 */
export type Gate = { readonly minPassRate: number } | { readonly passAll: true } | { readonly passAny: true };

/** Gate of scenarios that have none: every trial passes. */
export const DEFAULT_GATE: Gate = { passAll: true };

/** Verdict on a scenario; `undecided` while the remaining trials can change it. */
export type GateVerdict = "pass" | "fail" | "undecided";

/** Results of a scenario's trials so far. */
export interface TrialCounts {
  readonly passes: number;
  readonly fails: number;
  /** Planned number of trials. */
  readonly planned: number;
}

/** Whether a value is a {@link Gate}. */
export function isGate(value: unknown): value is Gate {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  const { minPassRate: rate } = value;
  return value.passAll === true || value.passAny === true || (typeof rate === "number" && rate > 0 && rate <= 1);
}

/** A description of what {@link isGate} accepts, for a message. */
export const GATE_NEEDS = "{ minPassRate: above 0, up to 1 }, { passAll: true } or { passAny: true }";

/**
 * Decides a gate as soon as the remaining trials cannot change the verdict. Without a trial it is undecided.
 *
 * @throws {ScenarioError} `invalid-option`.
 * @example
 * ```ts
 * import { decideGate } from "callweave/statistics";
 *
 * const verdict = decideGate({ minPassRate: 0.8 }, { passes: 4, fails: 3, planned: 10 }); // "fail"
 * ```
 */
export function decideGate(gate: Gate, counts: TrialCounts): GateVerdict {
  const { passes, fails, planned } = checkedCounts(gate, counts);
  const needed = neededPasses(gate, planned);
  if (passes >= needed) return "pass";
  return planned - fails < needed ? "fail" : "undecided";
}

/** Number of passes among the planned trials that a gate needs; at least one. */
export function neededPasses(gate: Gate, planned: number): number {
  if ("passAll" in gate) return planned;
  if ("passAny" in gate) return 1;
  // 0.07 × 100 is slightly more than 7 in floating point, and 7 of 100 are enough.
  return Math.max(1, Math.ceil(gate.minPassRate * planned - 1e-9));
}

function checkedCounts(gate: Gate, counts: TrialCounts): TrialCounts {
  const { passes, fails, planned } = isRecord(counts) ? counts : { passes: null, fails: null, planned: null };
  const enough = rule(
    "a whole number from 1, at least the passes and fails together",
    (value) => isCount(value) && value >= 1 && !(isCount(passes) && isCount(fails) && value < passes + fails),
  );
  checkNumbers(
    { gate, passes, fails, planned },
    { gate: rule(GATE_NEEDS, isGate), passes: NUMBERS.count, fails: NUMBERS.count, planned: enough },
    "decide a gate",
  );
  if (!isCount(passes) || !isCount(fails) || !isCount(planned))
    throw new ScenarioError("Cannot decide a gate: the counts are missing", {
      code: "invalid-option",
      hint: "Pass { passes, fails, planned }",
    });
  return { passes, fails, planned };
}

/** Rules of the numbers that statistics are computed from. */
const NUMBERS = {
  count: rule("a whole number from 0", (value) => isCount(value)),
  share: rule("a number between 0 and 1, without 0 and 1", (value) => isNumber(value) && value > 0 && value < 1),
} as const satisfies OptionRules;

/**
 * Checks the arguments of a statistical function, all of which are required.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkNumbers(values: { readonly [name: string]: unknown }, rules: OptionRules, action: string): void {
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]));
  checkOptions(given, rules, ScenarioError, `Cannot ${action}`);
}

/** Whether a value is a whole number from 0 that is exact in floating point. */
function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
