import type { CallUsage, Role } from "../models/mod.ts";
import type { Usage } from "../transcript/mod.ts";

/** What model calls came to, as a whole and by who made them. */
export function usageOf(calls: readonly CallUsage[]): Usage {
  const of = (role: Role) => calls.filter(({ signature }) => roleOf(signature) === role);
  return {
    ...totalOf(calls),
    byRole: { agent: totalOf(of("agent")), caller: totalOf(of("caller")), judge: totalOf(of("judge")) },
  };
}

/** The sum of several pieces of work. */
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

function totalOf(calls: readonly CallUsage[]): Total {
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

/** A sum has a cost only when all of its parts have one: a total that leaves a part out would be too small. */
function addTotals(totals: readonly Total[]): Total {
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

/** Who makes a call of this signature. */
export function roleOf(signature: CallUsage["signature"]): Role {
  return signature === "caller" || signature === "judge" ? signature : "agent";
}
