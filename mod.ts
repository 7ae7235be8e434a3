/**
 * Callweave: voice agents as typed graphs. Define a flow, hold simulated calls against it, emit it for a platform.
 *
 * @module
 */
export * from "./dsl/mod.ts";
export * from "./platforms/mod.ts";
export { checkGraph, checkScenarios } from "./src/analysis/mod.ts";
export {
  type Caller,
  type CallerHangUp,
  type CallerMove,
  type CallerOptions,
  createPersonaCaller,
  createReplayCaller,
  createScriptedCaller,
} from "./src/callers/mod.ts";
export { type CheckOptions, check } from "./src/check.ts";
export { runAsProgram } from "./src/cli/mod.ts";
export {
  type Clocks,
  type Conversation,
  type ConversationOptions,
  conversation,
  type Listeners,
  type SharedOptions,
  type Turn,
  type TurnMode,
} from "./src/engine/mod.ts";
export * from "./src/errors.ts";
export { evaluateEquation, expandPrompt, type TemplateValues } from "./src/expressions/mod.ts";
export type {
  AgentGraph,
  AgentNode,
  EquationClause,
  GlobalNodeSetting,
  GoBackCondition,
  NodeType,
  SourceMetadata,
  ToolDefinition,
  Transition,
  TransitionCondition,
  VariableExtraction,
} from "./src/graph/mod.ts";
export { parseGraph, toolImplementations } from "./src/graph/mod.ts";
export {
  type CallClock,
  type CallSettings,
  createRecordings,
  fileRecordings,
  type ModelPrice,
  type ModelReference,
  type Models,
  offline,
  type PriceTable,
  type RecordingMode,
  type RecordingStore,
  type Recordings,
  type RequestLimits,
  type RequestOptions,
  type Retry,
  type RetryPolicy,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedQueues,
  scripted,
} from "./src/models/mod.ts";
export {
  formatJson,
  formatJunit,
  formatReport,
  formatResult,
  formatTranscript,
  type Style,
  styleFor,
} from "./src/reporters/mod.ts";
export {
  CallbackError,
  type CallPlace,
  compareTurns,
  type Estimate,
  type EstimateOptions,
  estimate,
  type ResultPlace,
  type RunEvent,
  type RunListeners,
  type RunOptions,
  type RunReport,
  type RunRequestOptions,
  reportOf,
  run,
  type StorageReport,
  type TurnComparison,
} from "./src/runner/mod.ts";
export {
  type CallVariables,
  type CheckAnswer,
  type CheckContext,
  type CheckedCall,
  type CheckFunction,
  type OwnCheckOptions,
  parseScenarios,
  type Scenario,
  type ScenarioCheck,
  type ScenarioInput,
  type ScenarioSource,
  type ToolMockInput,
  toScenario,
} from "./src/scenario/mod.ts";
export { type ExtractedSecrets, extractSecrets, type SecretVariable } from "./src/secrets/mod.ts";
export {
  type OpenStoreOptions,
  openRecordings,
  openStore,
  type RecordingDatabase,
  type Recovery,
  type ResultRecord,
  type ResultStatus,
  type RunRecord,
  type Store,
  type StoreStatus,
} from "./src/store/mod.ts";
export type { CheckResult } from "./src/transcript/mod.ts";
export type { Budget, BudgetLimits, CallLimits, LiveTools } from "./src/turn/mod.ts";
