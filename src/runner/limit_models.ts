import type { LanguageModelMiddleware } from "ai";
import { limiterMiddleware, modelName, type RequestLimits } from "../models/mod.ts";

/**
 * Holds the requests of a run to the limits, each model to its own. Models of one name share one limit, as they share one
 * quota, whoever uses them.
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
