export type { RecordedCall, UnreadableCall } from "../../../platforms/mod.ts";
export {
  type CallClusters,
  type CallGroup,
  type ClusterOptions,
  clusterCalls,
  type EmbeddingReference,
} from "./cluster/mod.ts";
export {
  type CallRedactor,
  type ImportCallsOptions,
  type ImportCounts,
  type ImportReport,
  importCalls,
} from "./import/mod.ts";
export {
  type CallLanguage,
  createPseudonymizer,
  type Pseudonymizer,
  type PseudonymizerOptions,
} from "./personal/mod.ts";
export { type PullCallsOptions, type PullPlatform, pullCalls } from "./pull/mod.ts";
export { type CallFormat, type CallSource, isRecordedCall, type ReadCallsOptions, readCalls } from "./read/mod.ts";
export * from "./scenario/mod.ts";
