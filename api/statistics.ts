/**
 * `callweave/statistics`: intervals, gates and tests for repeated trials, comparisons of runs, latency, and agreement of
 * the judge with people.
 *
 * @module
 */
export {
  type Agreement,
  type CorrectedTest,
  cohenKappa,
  correctedTests,
  decideGate,
  differenceInterval,
  exactTest,
  type FlakinessSource,
  type FlakinessSources,
  flakinessSources,
  type GateVerdict,
  type Interval,
  type NestedTrial,
  type Proportion,
  type ProportionPair,
  passHat,
  type TrialCounts,
  type VerdictPair,
  wilson,
} from "../src/base/statistics/public.ts";
export * from "../src/call/latency/mod.ts";
export * from "../src/run/calibration/public.ts";
export * from "../src/run/compare/public.ts";
export * from "../src/run/fitness/public.ts";
