export type {
  AudioChange,
  AudioResult,
  AudioUsage,
  HeardMessage,
  LostItem,
  TextTwin,
  WordChange,
} from "./audio.ts";
export type { AuditFinding, CallerAudit } from "./audit.ts";
export { type Call, END_REASONS, type EndReason, type Message, type ToolCall } from "./call.ts";
export type { DivergedTransition, Divergence, ReplayRecord } from "./divergence.ts";
export type { LatencyParts, TurnLatency } from "./latency.ts";
export type { CallProvenance } from "./provenance.ts";
export { RESULT_STATUSES, type ResultStatus } from "./status.ts";
export type { Usage } from "./usage.ts";
export type { VarianceCall, VarianceJudgement, VarianceSample } from "./variance.ts";
export {
  CHECK_KINDS,
  type CheckKind,
  type CheckResult,
  type FlowStep,
  type JudgeVote,
  type Verdict,
} from "./verdict.ts";
export type { EvaluatedEquation, RecordedMove } from "./ways.ts";
