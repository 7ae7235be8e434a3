import { limiterMiddleware, type Model, type ModelLimits, modelName } from "../models/mod.ts";

/**
 * Puts the same limits around each model of a run. Models of one name share one limit, as they share one quota,
 * whoever uses them.
 */
export async function createLimits(
  limits: ModelLimits | undefined,
  signal: AbortSignal | undefined,
): Promise<(model: Model) => Model> {
  if (!limits) return (model) => model;
  const { wrapLanguageModel } = await import("ai");
  const known = new Map<string, ReturnType<typeof limiterMiddleware>>();
  return (model) => {
    const name = modelName(model);
    const middleware = known.get(name) ?? limiterMiddleware(limits, signal);
    known.set(name, middleware);
    return wrapLanguageModel({ model, middleware });
  };
}
