export { createModelLoader } from "../../call/models/mod.ts";
export type { PastCall, ReplayedCall, RunVariant, SharedReplies, StartedCall } from "./call/mod.ts";
export { checkedCall, resultVariables } from "./call/mod.ts";
export { namesInGraph } from "./options.ts";
export {
  codeHash,
  createLimits as sharedLimits,
  functionsOf,
  graphOf,
  isConnection,
  lookUpAgent,
  planDocument,
  prepareRun,
  standInGraph,
} from "./plan/mod.ts";
export * from "./public.ts";
export { addTotals, totalOf } from "./report.ts";
export { runScenarios } from "./run.ts";
export { cancelledResult, judgeKept, runAttempt } from "./trial/mod.ts";
