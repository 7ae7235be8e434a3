import type { LanguageModelMiddleware } from "ai";
import { limiterMiddleware, modelName, type RequestLimits } from "../../../call/models/mod.ts";

/**
 * Middleware that applies the run's request limits to each model. Models with the same name share a limit because they
 * share a provider quota.
 */
export function createLimits(limits: RequestLimits, signal: AbortSignal | undefined): LanguageModelMiddleware {
  const known = new Map<string, LanguageModelMiddleware>();
  return {
    specificationVersion: "v3",
    wrapGenerate: async (call) => {
      const name = modelName(call.model);
      const limiter = known.get(name) ?? limiterMiddleware(limits, signal);
      known.set(name, limiter);
      return await (limiter.wrapGenerate?.(call) ?? call.doGenerate());
    },
  };
}
