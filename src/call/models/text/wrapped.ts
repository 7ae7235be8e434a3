import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";

/**
 * Wraps a model in middleware, outermost first, like `wrapLanguageModel` of the AI SDK. Layers that only have a
 * `wrapGenerate`, as all of Callweave's, are wrapped without the promises of the parts that they do not have: they are
 * made anew for each request.
 */
export function wrappedModel(model: LanguageModelV3, middleware: readonly LanguageModelMiddleware[]): LanguageModelV3 {
  return middleware.reduceRight(wrappedIn, model);
}

function wrappedIn(inner: LanguageModelV3, layer: LanguageModelMiddleware): LanguageModelV3 {
  const { wrapGenerate, wrapStream, transformParams, overrideProvider, overrideModelId, overrideSupportedUrls } = layer;
  const generate = (params: LanguageModelV3CallOptions) =>
    wrapGenerate
      ? wrapGenerate({
          doGenerate: () => inner.doGenerate(params),
          doStream: () => inner.doStream(params),
          params,
          model: inner,
        })
      : inner.doGenerate(params);
  const stream = (params: LanguageModelV3CallOptions) =>
    wrapStream
      ? wrapStream({
          doGenerate: () => inner.doGenerate(params),
          doStream: () => inner.doStream(params),
          params,
          model: inner,
        })
      : inner.doStream(params);
  return {
    specificationVersion: "v3",
    provider: overrideProvider?.({ model: inner }) ?? inner.provider,
    modelId: overrideModelId?.({ model: inner }) ?? inner.modelId,
    supportedUrls: overrideSupportedUrls?.({ model: inner }) ?? inner.supportedUrls,
    ...(transformParams
      ? {
          doGenerate: async (params) =>
            await generate(await transformParams({ params, type: "generate", model: inner })),
          doStream: async (params) => await stream(await transformParams({ params, type: "stream", model: inner })),
        }
      : { doGenerate: generate, doStream: stream }),
  };
}
