export { formatCalibration } from "./format_calibration.ts";
export { parseKnownCalls } from "./parse_known_calls.ts";
export * from "./public.ts";
