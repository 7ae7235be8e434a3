// The names of this folder that the package exports.
export { type CalibrateOptions, calibrateJudge } from "./calibrate_judge.ts";
export type { Calibration, CriterionAgreement, Disagreement, KnownCall, KnownVerdict } from "./types.ts";
