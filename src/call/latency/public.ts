// The names of this folder that the package exports.
export { type LatencyFigures, type LatencySummary, type NodeLatency, summariseLatency } from "./summarise_latency.ts";
