export type { EmbeddingReference } from "../../../call/models/mod.ts";
export { type CallClusters, type CallGroup, type ClusterOptions, clusterCalls } from "./cluster_calls.ts";
export { matchScenario, type ScenarioMatcher } from "./match_scenario.ts";
