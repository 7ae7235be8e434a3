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
export type { Call, EndReason, Message, ToolCall } from "./call.ts";
export type { DivergedTransition, Divergence, ReplayRecord } from "./divergence.ts";
export type { LatencyParts, TurnLatency } from "./latency.ts";
export type { CallProvenance } from "./provenance.ts";
export type { Usage } from "./usage.ts";
export type { VarianceCall, VarianceJudgement, VarianceSample } from "./variance.ts";
export type { CheckKind, CheckResult, FlowStep, JudgeVote, Verdict } from "./verdict.ts";
export type { RecordedMove } from "./ways.ts";
