// The names of this folder that the package exports.
export { type CorrectedTest, correctedTests, differenceInterval, exactTest } from "./differences.ts";
export { type Agreement, cohenKappa, type VerdictPair } from "./kappa.ts";
export {
  decideGate,
  type Gate,
  type GateVerdict,
  type Interval,
  type Proportion,
  type ProportionPair,
  passHat,
  type TrialCounts,
  wilson,
} from "./rates.ts";
export { type FlakinessSource, type FlakinessSources, flakinessSources, type NestedTrial } from "./variance.ts";
