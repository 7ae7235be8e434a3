import type {
  LanguageModelV2,
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";
import { SYSTEM_CLOCK } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import { type CallOptions, type CallShape, DEFAULT_TRY_TIMEOUT_MS } from "./call_options.ts";
import {
  type AnswerCheck,
  abortable,
  requestMiddleware,
  requestWatch,
  retryMiddleware,
  streamingMiddleware,
  structuredAnswers,
  waitingMiddleware,
} from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import { answerGuard, checkedCallClock, checkedMiddleware } from "./resolve.ts";
import type { SignatureName } from "./signature.ts";

/** The parts of a request that its layers read. */
export interface LayeredRequest {
  readonly check: AnswerCheck;
  /** The schema of a structured answer. */
  readonly schema?: JsonSchema;
  /** Texts of a reply that must not be streamed. */
  readonly notes: readonly string[];
}

const NONE: readonly LanguageModelMiddleware[] = [];

/** The layers around a model, outermost first. */
export function layers(
  model: Model,
  signature: SignatureName,
  options: CallOptions,
  { check, schema, notes }: LayeredRequest,
): LanguageModelMiddleware[] {
  const { timers = SYSTEM_CLOCK, clock, onRetry } = options;
  // embedded models read the input itself
  const structured =
    schema && model.provider !== "callweave" ? structuredAnswers(model, { signature, clock, onRetry }) : undefined;
  const within = options.within ? checkedMiddleware(options.within, "within") : NONE;
  const waiting = options.clock && within.length > 0 ? waitingMiddleware(checkedCallClock(options.clock)) : undefined;
  const around = options.around ? checkedMiddleware(options.around(shapeOf(signature, options)), "around") : NONE;
  const all: LanguageModelMiddleware[] = [];
  if (around.length > 0) all.push(answerGuard("around"), ...around);
  if (options.onRequest) all.push(requestWatch(options.onRequest));
  all.push(
    retryMiddleware({
      policy: options.retry ?? {},
      signature,
      check: structured ? structured.checked(check) : check,
      timers,
      ...(onRetry ? { onRetry } : {}),
    }),
  );
  if (structured) all.push(structured.middleware);
  if (within.length > 0) all.push(abortable(), answerGuard("within"));
  if (waiting) all.push(waiting.outer, ...within, waiting.inner);
  else all.push(...within);
  all.push(
    requestMiddleware({
      signature,
      timeoutMs: options.tryTimeoutMs ?? DEFAULT_TRY_TIMEOUT_MS,
      timers,
      meter: options.onUsage && { onUsage: options.onUsage, prices: options.prices },
    }),
  );
  if (options.onToken && signature === "respond") all.push(streamingMiddleware(options.onToken, notes));
  return all;
}

function shapeOf(signature: SignatureName, { slice, onReplayed }: CallOptions): CallShape {
  return { signature, slice: slice?.() ?? "", ...(onReplayed ? { onReplayed } : {}) };
}

/**
 * Adapts a model to version 3 of the AI SDK's specification, which both supported versions of the SDK accept.
 *
 * Version 4 differs only in files, which Callweave does not use, so such a model is returned as it is. Version 2 has
 * other finish reasons and token counts, which are converted.
 */
export function toCurrentVersion(model: Model): LanguageModelV3 {
  return model.specificationVersion === "v2" ? fromVersion2(model) : model;
}

function fromVersion2(model: LanguageModelV2): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => {
      const result = await model.doGenerate(options as Version2Options); // equal in all that Callweave sends
      const content = result.content as Awaited<ReturnType<LanguageModelV3["doGenerate"]>>["content"]; // equal in text and tool calls
      return {
        ...result,
        content,
        finishReason: finishReasonOf(result.finishReason),
        usage: usageOf(result.usage),
        warnings: [],
      };
    },
    doStream: async (options) => {
      const result = await model.doStream(options as Version2Options); // equal in all that Callweave sends
      const parts = new TransformStream<Version2Part, LanguageModelV3StreamPart>({
        transform(part, controller) {
          if (part.type === "finish")
            controller.enqueue({
              ...part,
              finishReason: finishReasonOf(part.finishReason),
              usage: usageOf(part.usage),
            });
          else if (part.type === "stream-start") controller.enqueue({ type: "stream-start", warnings: [] });
          else controller.enqueue(part as LanguageModelV3StreamPart); // equal in text and tool calls
        },
      });
      return { ...result, stream: result.stream.pipeThrough(parts) };
    },
  };
}

type Version2Options = Parameters<LanguageModelV2["doGenerate"]>[0];
type Version2Part =
  Awaited<ReturnType<LanguageModelV2["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

function finishReasonOf(reason: LanguageModelV2FinishReason): LanguageModelV3FinishReason {
  return { unified: reason === "unknown" ? "other" : reason, raw: undefined };
}

function usageOf({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  reasoningTokens,
}: LanguageModelV2Usage): LanguageModelV3Usage {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  };
}
