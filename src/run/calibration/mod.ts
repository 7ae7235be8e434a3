export { parseKnownCalls } from "./calibrate_judge.ts";
export { formatCalibration } from "./format_calibration.ts";
export * from "./public.ts";
