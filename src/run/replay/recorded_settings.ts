import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import type { RunOptions } from "../runner/mod.ts";

const LIMITS = ["modelCalls", "tokens", "costUsd", "wallMs"] as const;

/** Settings of the recorded run that affect its calls: the turn mode, and the budget. */
export function recordedSettings({ turn, budget }: JsonObject): Pick<RunOptions, "turn" | "budget"> {
  const mode = (["split", "speculative", "fused"] as const).find((each) => each === turn);
  const limits = isRecord(budget) ? { call: numbersIn(budget.call), turn: numbersIn(budget.turn) } : undefined;
  return { ...(mode ? { turn: mode } : {}), ...(limits ? { budget: limits } : {}) };
}

function numbersIn(limits: unknown): { readonly [Name in (typeof LIMITS)[number]]?: number } {
  const given = isRecord(limits) ? limits : {};
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const value = given[name];
      return typeof value === "number" ? [[name, value] as const] : [];
    }),
  );
}
