/**
 * Callweave: voice agents as typed graphs. Define a flow, run simulated calls against it, emit it for a platform.
 *
 * @module
 */
export {
  type AtLeastOne,
  boolean,
  type CallweaveFields,
  choice,
  type Equation,
  eject,
  env,
  type Flow,
  type FlowGraph,
  type FlowOptions,
  type FlowTypeError,
  type FlowVoice,
  flow,
  type KitOf,
  type MockAnswer,
  type NodeDefinition,
  type NodeKit,
  number,
  type Part,
  type PartOptions,
  type PlatformOptions,
  part,
  policy,
  type RetellFlowFields,
  type RetellNodeFields,
  type ScenarioDraft,
  scenario,
  type TextVariable,
  type Tool,
  type ToolOptions,
  type TransferTarget,
  text,
  tool,
  type VapiFlowFields,
  type VapiNodeFields,
  type Variable,
  type VariableKind,
  type VariableOptions,
  type Variables,
} from "./dsl/mod.ts";
export {
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
export * from "./src/agent/analysis/coverage/public.ts";
export * from "./src/agent/analysis/decompose/mod.ts";
export type {
  AffectedScenario,
  CallPath,
  ChangeKind,
  ChangeRisk,
  EvaluatedClause,
  Goal,
  GraphChange,
  GraphTransition,
  PathFinderOptions,
  PathStep,
  PlayedPath,
  PlayOptions,
  Suppression,
  TextPart,
  TurnBound,
  UnreachableTransition,
  VisitedCall,
} from "./src/agent/analysis/mod.ts";
export {
  affectedScenarios,
  checkGraph,
  checkPolicies,
  checkScenarios,
  diffGraphs,
  editGraph,
  findPath,
  pathFinder,
  playPath,
  turnBounds,
} from "./src/agent/analysis/mod.ts";
export * from "./src/agent/analysis/snippets/mod.ts";
export * from "./src/agent/check/mod.ts";
export { type DrawOptions, type DrawPngOptions, draw, drawPng, type Grouping } from "./src/agent/draw/mod.ts";
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
export type { SecretKind } from "./src/base/redaction/mod.ts";
export * from "./src/base/statistics/public.ts";
export type { Clock, JsonObject } from "./src/base/values/mod.ts";
export * from "./src/call/audio/public.ts";
export {
  type Caller,
  type CallerHangUp,
  type CallerMove,
  type CallerOptions,
  createPersonaCaller,
  createReplayCaller,
  createScriptedCaller,
  type ReplayableCall,
} from "./src/call/callers/mod.ts";
export {
  type Clocks,
  type Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  conversation,
  type Listeners,
  type SharedOptions,
  type Turn,
  type TurnMode,
} from "./src/call/engine/mod.ts";
export * from "./src/call/latency/mod.ts";
export {
  type CallClock,
  type CallIdentity,
  type CallShape,
  type CallUsage,
  createRecordings,
  fileRecordings,
  type HistoryLine,
  type Model,
  type ModelPrice,
  type ModelReference,
  type Models,
  type ModelTelemetry,
  offline,
  type PriceTable,
  type RecordedCallName,
  type RecordedContent,
  type Recording,
  type RecordingMode,
  type RecordingStore,
  type Recordings,
  type RequestLimits,
  type RequestOptions,
  type Retry,
  type RetryPolicy,
  type Role,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedQueues,
  type SignatureName,
  scripted,
} from "./src/call/models/mod.ts";
export type {
  Budget,
  BudgetLimits,
  CallLimits,
  LiveTools,
  RecordedTools,
  ToolAnswer,
  UnmatchedTools,
} from "./src/call/turn/mod.ts";
export * from "./src/deploy/mod.ts";
export { evaluateEquation, expandPrompt, type TemplateValues } from "./src/document/expressions/mod.ts";
export {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  type GlobalNodeSetting,
  type GoBackCondition,
  type JsonSchema,
  type Metadata,
  type NodeType,
  type OriginalDocument,
  parseGraph,
  type SourceMetadata,
  type ToolDefinition,
  type ToolExecute,
  type Transition,
  type TransitionCondition,
  toolImplementations,
  type VariableExtraction,
  type Witness,
} from "./src/document/graph/mod.ts";
export {
  type CallVariables,
  type CheckAnswer,
  type CheckContext,
  type CheckedCall,
  type CheckFunction,
  type ExpectedToolCall,
  type Metric,
  type MetricInput,
  type MockRule,
  type OfflineTurn,
  type OwnCheckOptions,
  type Policy,
  type PolicySource,
  parseScenarios,
  type Scenario,
  type ScenarioCheck,
  type ScenarioGate,
  type ScenarioInput,
  type ScenarioSource,
  type ToolMock,
  type ToolMockInput,
  toScenario,
} from "./src/document/scenario/mod.ts";
export { type ExtractedSecrets, extractSecrets, type SecretVariable } from "./src/document/secrets/mod.ts";
export type * from "./src/document/transcript/public.ts";
export * from "./src/run/calibration/public.ts";
export * from "./src/run/calls/public.ts";
export * from "./src/run/compare/public.ts";
export * from "./src/run/diagnosis/public.ts";
export * from "./src/run/evaluation/public.ts";
export * from "./src/run/generate/mod.ts";
export * from "./src/run/replay/public.ts";
export * from "./src/run/runner/public.ts";
export * from "./src/run/store/public.ts";
export type { ScenarioSummary } from "./src/run/summary/mod.ts";
export * from "./src/run/worker/mod.ts";
export * from "./src/surface/cli/mod.ts";
