export { type Estimate, type EstimatedUsage, estimate } from "./estimate.ts";
export type { CallRange, CountedUsage, EstimateOptions, Range } from "./role_bounds.ts";
