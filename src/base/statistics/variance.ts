import { rule } from "../values/mod.ts";
import { checkNumbers } from "./rates.ts";

/** Judgements of one trial: a list per call of the agent with the same caller's words, each with one value per judgement. */
export type NestedTrial = readonly (readonly boolean[])[];

/** Source of differing verdicts. */
export type FlakinessSource = "judge" | "agent" | "caller";

/** Sources of the differing verdicts of one scenario. */
export interface FlakinessSources {
  /** Number of trials, calls and judgements in the computation. */
  readonly trials: number;
  readonly calls: number;
  readonly judgements: number;
  /**
   * Variance of pass (1) and fail (0) by source; at most about 0.25 together. `null` if it is unknown: the judge's
   * without repeated judgements, the agent's without repeated calls, the caller's with one trial.
   */
  readonly variance: { readonly [Source in FlakinessSource]: number | null };
  /** The source with the largest variance; `null` when all verdicts are the same. */
  readonly main: FlakinessSource | null;
  /** One sentence for people. */
  readonly reason: string;
}

/**
 * Attributes differing verdicts to the judge (the same call judged again), the agent (the same caller's words again) or
 * the caller (a new call), by a nested analysis of variance. Negative estimates, which chance gives, are 0.
 *
 * @param trials Trials without judgements are left out. Numbers of calls and judgements may differ.
 * @throws {ScenarioError} `invalid-option`.
 * @see S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), chapter 5.
 * @example
 * ```ts
 * import { flakinessSources } from "callweave/statistics";
 *
 * const { main } = flakinessSources([
 *   [[true, true], [false, false]],
 *   [[false, false], [true, true]],
 * ]); // "agent": it did differently with the same words
 * ```
 */
export function flakinessSources(trials: readonly NestedTrial[]): FlakinessSources {
  checkNumbers(
    { trials },
    { trials: rule("a list of trials, each a list of lists of true or false", isNested) },
    "find sources",
  );
  const given = trials
    .map((trial) => trial.filter((judgements) => judgements.length > 0))
    .filter((trial) => trial.length > 0);
  const calls = given.flat();
  const judgements = calls.flat();
  const variance = componentsOf(given);
  const known = (["judge", "agent", "caller"] as const)
    .map((source) => ({ source, value: variance[source] ?? 0 }))
    .filter(({ value }) => value > NEGLIGIBLE)
    .sort((a, b) => b.value - a.value);
  return {
    trials: given.length,
    calls: calls.length,
    judgements: judgements.length,
    variance,
    main: known[0]?.source ?? null,
    reason: reasonOf(known, variance, judgements),
  };
}

/** Variances up to this are rounding errors of 0. */
const NEGLIGIBLE = 1e-9;

/** Sums of squares of the levels, and the coefficients of the levels' variances in them, for unequal sizes. */
function componentsOf(trials: readonly NestedTrial[]): FlakinessSources["variance"] {
  const calls = trials.flat();
  const all = calls.flat();
  const mean = meanOf(all);
  const within = { judge: 0, agent: 0, caller: 0 };
  let agentWeight = 0;
  let callWeight = 0;
  let trialWeight = 0;
  for (const trial of trials) {
    const ofTrial = trial.flat();
    const trialMean = meanOf(ofTrial);
    within.caller += ofTrial.length * (trialMean - mean) ** 2;
    trialWeight += ofTrial.length ** 2 / all.length;
    for (const call of trial) {
      const callMean = meanOf(call);
      within.agent += call.length * (callMean - trialMean) ** 2;
      within.judge += call.reduce((sum, value) => sum + (Number(value) - callMean) ** 2, 0);
      agentWeight += call.length ** 2 / ofTrial.length;
      callWeight += call.length ** 2 / all.length;
    }
  }
  const freedom = {
    judge: all.length - calls.length,
    agent: calls.length - trials.length,
    caller: trials.length - 1,
  };
  const judge = freedom.judge > 0 ? within.judge / freedom.judge : null;
  // Without repeated judgements, the judge's part stays in the agent's; so does the agent's in the caller's.
  const agent =
    freedom.agent > 0
      ? Math.max(0, (within.agent / freedom.agent - (judge ?? 0)) / ((all.length - agentWeight) / freedom.agent))
      : null;
  const caller =
    freedom.caller > 0
      ? Math.max(
          0,
          (within.caller / freedom.caller -
            (judge ?? 0) -
            ((agentWeight - callWeight) / freedom.caller) * (agent ?? 0)) /
            ((all.length - trialWeight) / freedom.caller),
        )
      : null;
  return { judge, agent, caller };
}

function reasonOf(
  known: readonly { readonly source: FlakinessSource; readonly value: number }[],
  variance: FlakinessSources["variance"],
  judgements: readonly boolean[],
): string {
  const [first, ...rest] = known;
  if (judgements.length === 0) return "no trial was judged";
  if (!first) return `all ${judgements.length} verdicts are the same: nothing is flaky`;
  const total = known.reduce((sum, { value }) => sum + value, 0);
  const share = (value: number) => `${Math.round((100 * value) / total)} %`;
  const others = rest.map(({ source, value }) => `${NAMES[source]} ${share(value)}`).join(", ");
  const said = `${WORDS[first.source]}: ${share(first.value)} of the variance${others && ` (${others})`}`;
  const unknown = (["judge", "agent"] as const).filter((source) => variance[source] === null);
  if (unknown.length === 0) return said;
  return `${said}; that of ${unknown.map((source) => NAMES[source]).join(" and ")} is in it, because it was not repeated`;
}

const NAMES = { judge: "the judge", agent: "the agent", caller: "the caller" } as const;

const WORDS = {
  judge: "the judge is flaky: it judges the same call differently",
  agent: "the agent is flaky: it acts differently on the same words of the caller",
  caller: "the callers differ: the verdict depends on what the caller says",
} as const;

function meanOf(values: readonly boolean[]): number {
  return values.filter(Boolean).length / values.length;
}

function isNested(value: unknown): boolean {
  const isCall = (call: unknown) =>
    Array.isArray(call) && call.every((judgement: unknown) => typeof judgement === "boolean");
  return Array.isArray(value) && value.every((trial: unknown) => Array.isArray(trial) && trial.every(isCall));
}
