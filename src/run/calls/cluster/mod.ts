export type { EmbeddingReference } from "../../../call/models/mod.ts";
export { clusterCalls } from "./cluster_calls.ts";
export type { CallClusters, CallGroup, ClusterOptions } from "./types.ts";
