import type {
  LanguageModelV2,
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import type { Model } from "./model.ts";

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
