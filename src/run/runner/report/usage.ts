import type { CallUsage, Role } from "../../../call/models/mod.ts";
import type { Usage } from "../../../document/transcript/mod.ts";

/** Sums the usage of model calls, in total and per role. */
export function usageOf(calls: readonly CallUsage[]): Usage {
  const of = (role: Role) => calls.filter(({ signature }) => roleOf(signature) === role);
  return {
    ...totalOf(calls),
    byRole: { agent: totalOf(of("agent")), caller: totalOf(of("caller")), judge: totalOf(of("judge")) },
  };
}

export function addUsage(usages: readonly Usage[]): Usage {
  const roles = usages.flatMap(({ byRole }) => byRole ?? []);
  const of = (role: Role) => addTotals(roles.map((byRole) => byRole[role]));
  const retries = usages.reduce((sum, usage) => sum + (usage.retries ?? 0), 0);
  return {
    ...addTotals(usages),
    ...(retries > 0 ? { retries } : {}),
    ...(roles.length > 0 ? { byRole: { agent: of("agent"), caller: of("caller"), judge: of("judge") } } : {}),
  };
}

type Total = Omit<Usage, "byRole">;

/** Adds the requests of model calls. */
export function totalOf(calls: readonly CallUsage[]): Total {
  return addTotals(
    calls.map(({ inputTokens, outputTokens, modelMs, costUsd }) => ({
      calls: 1,
      inputTokens,
      outputTokens,
      modelMs,
      ...(costUsd === undefined ? {} : { costUsd }),
    })),
  );
}

/** Adds totals. The cost is known only when the cost of every part is known; otherwise the sum would be too low. */
export function addTotals(totals: readonly Total[]): Total {
  const sum = (key: "calls" | "inputTokens" | "outputTokens" | "modelMs") =>
    totals.reduce((all, total) => all + total[key], 0);
  const costs = totals.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    calls: sum("calls"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    modelMs: sum("modelMs"),
    ...(costs.length === totals.length ? { costUsd: costs.reduce((all, cost) => all + cost, 0) } : {}),
  };
}

/** Returns the role that makes calls of a signature. */
export function roleOf(signature: CallUsage["signature"]): Role {
  if (signature === "audit" || signature === "flow") return "judge";
  return signature === "caller" || signature === "judge" ? signature : "agent";
}
