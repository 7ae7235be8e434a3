export { type AuditMode, auditCall } from "./audit_call.ts";
export type { CallFeed, CallQueue, QueuedCall, QueuedEnd, QueuedRun } from "./call_queue.ts";
export { flowJudgement } from "./flow_judgement.ts";
export { namesIn } from "./names_in.ts";
export {
  DEFAULT_AUDIT,
  DEFAULT_CONCURRENCY,
  DEFAULT_MAX_TURNS,
  DEFAULT_TURN_TIMEOUT_MS,
  joinMetrics,
  type ResultPlace,
  type RunEvent,
  type RunListeners,
  type RunOptions,
  type RunRequestOptions,
  type VarianceOptions,
} from "./options.ts";
export type { Slot } from "./slot.ts";
