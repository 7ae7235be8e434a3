import type { CallUsage } from "../models/mod.ts";
import type { Usage } from "../transcript/mod.ts";

/** Adds usages. The cost is known only if that of every part is. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (key: "calls" | "inputTokens" | "outputTokens" | "modelMs") =>
    usages.reduce((all, usage) => all + usage[key], 0);
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    calls: sum("calls"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    modelMs: sum("modelMs"),
    ...(costs.length === usages.length ? { costUsd: costs.reduce((all, cost) => all + cost, 0) } : {}),
  };
}

/** Adds the requests of model calls. */
export function usageOfRequests(requests: readonly CallUsage[]): Usage {
  return sumUsage(
    requests.map(({ inputTokens, outputTokens, modelMs, costUsd }) => ({
      calls: 1,
      inputTokens,
      outputTokens,
      modelMs,
      ...(costUsd === undefined ? {} : { costUsd }),
    })),
  );
}
