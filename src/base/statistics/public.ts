// The names of this folder that the package exports.
export { type CorrectedTest, correctedTests } from "./correction.ts";
export { differenceInterval } from "./difference.ts";
export { exactTest } from "./exact_test.ts";
export { decideGate, type Gate, type GateVerdict, type TrialCounts } from "./gate.ts";
export { type Agreement, cohenKappa, type VerdictPair } from "./kappa.ts";
export { passHat } from "./pass_hat.ts";
export type { Proportion, ProportionPair } from "./proportions.ts";
export { type FlakinessSource, type FlakinessSources, flakinessSources, type NestedTrial } from "./variance.ts";
export { type Interval, wilson } from "./wilson.ts";
