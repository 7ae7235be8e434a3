export { type CallClock, createCallClock } from "./call_clock.ts";
export { aiSdk, callForReply, callModel, type EmbeddingReference, embedTexts, type Reply } from "./call_model.ts";
export {
  type CallOptions,
  type CallSettings,
  type CallShape,
  DEFAULT_TRY_TIMEOUT_MS,
  type ModelTelemetry,
  type RequestOptions,
} from "./call_options.ts";
export { generated, readCall } from "./embedded.ts";
export {
  answerInTime,
  answerNotice,
  type CallUsage,
  DEFAULT_RETRIES,
  isOverloaded,
  limiterMiddleware,
  type RequestLimits,
  type Retry,
  type RetryPolicy,
  type TimedRequest,
} from "./middleware/mod.ts";
export { type Model, type ModelReference, type Models, modelName } from "./model.ts";
export {
  claimOf,
  type EntityKind,
  findEntity,
  followPath,
  isPlainEnglish,
  type PathFollower,
  refusalsBefore,
  refuses,
  SYNONYMS,
  similarity,
  wordSet,
} from "./offline/mod.ts";
export { costUsd, hasPrice, type ModelPrice, type PriceTable } from "./prices.ts";
export {
  type CallIdentity,
  ClockDocument,
  clockKey,
  createRecordings,
  fileRecordings,
  type RecordedCallName,
  type RecordedContent,
  type Recording,
  RecordingDocument,
  type RecordingMode,
  type RecordingStore,
  type Recordings,
  type Role,
  redacted,
} from "./recordings/mod.ts";
export {
  checkedCallClock,
  createModelLoader,
  type ModelLoader,
  namedModel,
  offline,
  resolveModel,
} from "./resolve.ts";
export {
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedQueues,
  scripted,
} from "./scripted.ts";
export { type HistoryLine, SIGNATURE_NAMES, type SignatureName } from "./signature.ts";
export * from "./signatures/mod.ts";
export { type ChatMessage, EVENTS, type Note } from "./text/mod.ts";
