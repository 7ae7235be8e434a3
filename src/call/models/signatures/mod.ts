export {
  type ArgumentsInput,
  argumentsSignature,
  type ExtractInput,
  type ExtractOutput,
  extractSignature,
  RESPOND_INSTRUCTIONS,
  type RespondInput,
  respondInput,
  type TransitionInput,
  type TransitionOutput,
  transitionSignature,
} from "./agent.ts";
export { type AuditInput, type AuditOutput, auditSignature } from "./audit.ts";
export { type CallerInput, type CallerOutput, callerSignature } from "./caller.ts";
export { NO_TRANSITION } from "./decision.ts";
export { type DiagnosisInput, type DiagnosisOutput, diagnosisProblem, diagnosisSignature } from "./diagnosis.ts";
export {
  type FlowInput,
  type FlowInputStep,
  type FlowOutput,
  flowSignature,
  targetsAt,
} from "./flow.ts";
export { type FusedInput, type FusedOutput, fusedSignature } from "./fused.ts";
export { type JudgeInput, type JudgeOutput, judgeSignature, type Quotation } from "./judge.ts";
export { type PersonaInput, type PersonaOutput, personaSignature } from "./persona.ts";
export { type FailedCallInput, type RepairInput, type RepairOutput, repairSignature } from "./repair.ts";
export { type RepliesInput, type RepliesOutput, repliesSignature } from "./replies.ts";
export { type ScenarioCallInput, type ScenarioCallOutput, scenarioSignature } from "./scenario.ts";
export { type TopicInput, type TopicOutput, topicSignature } from "./topic.ts";
export { type TraitsInput, type TraitsOutput, traitsSignature } from "./traits.ts";
