export { type AuditedCall, auditCaller, auditFacts, type StatedFact, statedFacts } from "./audit.ts";
export { checkExpectations, checkFlow, checkLatency, checkMessages, FAULTS, runOwnChecks } from "./checks.ts";
export { containsText, findEvidence, foldText, messagePlace } from "./evidence.ts";
export { FLOW_CRITERION, type FlowJudgement, hasChoices, judgeFlow } from "./flow_judge.ts";
export { type JudgedCall, judgeMetrics, judgesNeeded } from "./metric.ts";
export { compilePattern, type Pattern } from "./pattern.ts";
export type { PatternsBySource } from "./replies.ts";
export { checkReplies, type RepliedCall, type ReplyChecks } from "./reply_checks.ts";
export {
  type JudgedReplies,
  judgedReplyCount,
  judgeReplies,
  REPLIES_PER_REQUEST,
  replyRequests,
} from "./reply_judge.ts";
export { checkVoice, type VoiceChecks, type VoicedCall } from "./voice_checks.ts";
