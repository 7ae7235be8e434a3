import { ScenarioError } from "../errors.ts";
import { isRecord, rule } from "../values/mod.ts";
import { checkNumbers, isCount, NUMBERS } from "./checked.ts";

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
