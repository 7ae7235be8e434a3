// The names of this folder that the package exports.
export { summariseLatency } from "./summarise_latency.ts";
export type { LatencyFigures, LatencySummary, NodeLatency } from "./types.ts";
