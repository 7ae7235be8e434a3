import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { LanguageModelMiddleware, wrapLanguageModel } from "ai";

/**
 * Wraps a model in middleware, outermost first, like `wrapLanguageModel` of the AI SDK. Layers that only have a
 * `wrapGenerate`, as all of Callweave's, are wrapped without the promises of the parts that they do not have: they are
 * made anew for each request.
 */
export function wrapped(
  model: LanguageModelV3,
  middleware: readonly LanguageModelMiddleware[],
  wrap: typeof wrapLanguageModel,
): LanguageModelV3 {
  return middleware.reduceRight((inner, layer) => {
    const { wrapGenerate } = layer;
    if (!wrapGenerate || !isPlain(layer)) return wrap({ model: inner, middleware: layer });
    const { provider, modelId, supportedUrls } = inner;
    return {
      specificationVersion: "v3",
      provider,
      modelId,
      supportedUrls,
      doGenerate: (params) =>
        wrapGenerate({
          doGenerate: () => inner.doGenerate(params),
          doStream: () => inner.doStream(params),
          params,
          model: inner,
        }),
      doStream: (params) => inner.doStream(params),
    };
  }, model);
}

/** Whether a layer only answers requests. */
function isPlain(layer: LanguageModelMiddleware): boolean {
  for (const part in layer) if (part !== "specificationVersion" && part !== "wrapGenerate") return false;
  return true;
}
