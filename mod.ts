/**
 * Callweave: voice agents as typed graphs. Define a flow, run simulated calls against it, emit it for a platform.
 *
 * @module
 */
export {
  type AnyTool,
  type AnyVariable,
  type ArgumentsIn,
  boolean,
  type CheckSnippets,
  choice,
  type DeclarationsOf,
  env,
  type Flow,
  type FlowGraph,
  type FlowOptions,
  type FlowTexts,
  flow,
  type KitOf,
  type NodeDefinition,
  type NodeKit,
  number,
  type Part,
  type PartOptions,
  type PlatformOptions,
  type PolicyKit,
  part,
  policy,
  type ScenarioDraft,
  scenario,
  type TextVariable,
  type Tool,
  type ToolOptions,
  type ToolParameters,
  type TransferTarget,
  type TypedTool,
  text,
  tool,
  type Variable,
  type VariableOptions,
  type Variables,
} from "./dsl/mod.ts";
export {
  type AnyFormatName,
  type CheckFormat,
  type EmitOptions,
  type Emitted,
  emit,
  type Finding,
  type FormatInfo,
  type FormatName,
  formats,
  type Imported,
  importAgent,
  type Loss,
} from "./platforms/mod.ts";
export { type CheckOptions, check } from "./src/agent/check/mod.ts";
export {
  CallweaveError,
  EngineError,
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetails,
  FlowError,
  GraphError,
  type Issue,
  isCallweaveError,
  ModelError,
  type Path,
  PlatformError,
  ScenarioError,
  StoreError,
  ToolError,
  UsageError,
} from "./src/base/errors.ts";
export type { Gate } from "./src/base/statistics/public.ts";
export type { Clock, JsonObject } from "./src/base/values/mod.ts";
export { type AudioOptions, offlineSpeech, offlineTranscription } from "./src/call/audio/public.ts";
export {
  type Caller,
  type CallerHangUp,
  createPersonaCaller,
  createReplayCaller,
  createScriptedCaller,
} from "./src/call/callers/mod.ts";
export type { AgentConnection } from "./src/call/connection/mod.ts";
export {
  Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  conversation,
  type Turn,
  type TurnMode,
} from "./src/call/engine/mod.ts";
export {
  type CallUsage,
  createRecordings,
  fileRecordings,
  type Model,
  type ModelReference,
  type Models,
  offline,
  type RecordingMode,
  type RecordingStore,
  type Recordings,
  type RequestOptions,
  type ScriptedModel,
  type ScriptedQueues,
  scripted,
} from "./src/call/models/mod.ts";
export { evaluateEquation, expandPrompt, type TemplateValues } from "./src/document/expressions/mod.ts";
export {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  type JsonSchema,
  parseGraph,
  type ToolDefinition,
  type ToolExecute,
  type Transition,
  toolImplementations,
} from "./src/document/graph/mod.ts";
export {
  type CallVariables,
  type CheckAnswer,
  type CheckContext,
  type Policy,
  type PolicyRule,
  type PolicySource,
  parseScenarios,
  type Scenario,
  type ScenarioInput,
  type ScenarioSource,
  toScenario,
} from "./src/document/scenario/mod.ts";
export type {
  Call,
  CheckResult,
  EndReason,
  Message,
  ToolCall,
  TurnLatency,
  Verdict,
} from "./src/document/transcript/public.ts";
export {
  CallbackError,
  type Estimate,
  type EstimateOptions,
  estimate,
  type RunEvent,
  type RunListeners,
  type RunOptions,
  type RunReport,
  run,
  type TrialAttempt,
} from "./src/run/runner/public.ts";
export {
  type OpenStoreOptions,
  openStore,
  type ResultRecord,
  type ResultStatus,
  type RunRecord,
  type Store,
  type StoredRun,
} from "./src/run/store/public.ts";
export { type CallweaveConfig, defineConfig, type ModuleMeta, runAsProgram } from "./src/surface/cli/mod.ts";
export type { Style } from "./src/surface/reporters/mod.ts";
