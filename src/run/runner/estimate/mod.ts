export type { CallRange, CountedUsage, Range } from "./counted_usage.ts";
export { type Estimate, type EstimatedUsage, estimate } from "./estimate.ts";
export type { EstimateOptions } from "./role_bounds.ts";
