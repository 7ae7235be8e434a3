export { type AuditedCall, auditCaller, auditFacts, type StatedFact, statedFacts } from "./audit.ts";
export { checkExpectations, checkFlow, checkLatency, checkMessages, FAULTS, runOwnChecks } from "./checks.ts";
export { findEvidence, foldText, messagePlace } from "./evidence.ts";
export { FLOW_CRITERION, type FlowJudgement, hasChoices, judgeFlow } from "./flow_judge.ts";
export { type JudgedCall, judgeMetrics, judgesNeeded } from "./metric.ts";
export { compilePattern, type Pattern } from "./pattern.ts";
