export { type AuditMode, auditCall } from "./audit_call.ts";
export type { CallFeed, CallQueue, QueuedCall, QueuedEnd, QueuedRun } from "./call_queue.ts";
export { flowJudgement } from "./flow_judgement.ts";
export { namesInGraph } from "./names_in.ts";
export {
  DEFAULT_AUDIT,
  DEFAULT_CONCURRENCY,
  DEFAULT_MAX_TURNS,
  DEFAULT_TURN_TIMEOUT_MS,
  type JudgingOptions,
  joinMetrics,
  type RepeatOptions,
  type ResultEvent,
  type ResultPlace,
  type RunEvent,
  type RunLimits,
  type RunListeners,
  type RunModels,
  type RunOptions,
  type RunRequestOptions,
  type SharingOptions,
  type VarianceOptions,
} from "./options.ts";
export type { TrialAttempt } from "./slot.ts";
