import { limiterMiddleware, type Model, type ModelLimits, modelName } from "../models/mod.ts";

/** Puts the same limits around each model of a run; roles that share a model share its limits. */
export async function limitModels(
  models: readonly Model[],
  limits: ModelLimits | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Model[]> {
  if (!limits) return models;
  const { wrapLanguageModel } = await import("ai");
  const limited = new Map<string, Model>();
  return models.map((model) => {
    const name = modelName(model);
    const known = limited.get(name) ?? wrapLanguageModel({ model, middleware: limiterMiddleware(limits, signal) });
    limited.set(name, known);
    return known;
  });
}
