import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { BUDGETS, TURN_MODES } from "../../document/settings/mod.ts";
import type { RunOptions } from "../runner/mod.ts";

/** Settings of the recorded run that affect its calls: the turn mode, and the budget. */
export function recordedSettings({ turn, budget }: JsonObject): Pick<RunOptions, "turn" | "limits"> {
  const mode = TURN_MODES.find((each) => each === turn);
  const limits = isRecord(budget) ? { call: numbersIn(budget.call), turn: numbersIn(budget.turn) } : undefined;
  return { ...(mode ? { turn: mode } : {}), ...(limits ? { limits: { budget: limits } } : {}) };
}

function numbersIn(limits: unknown): { readonly [Name in (typeof BUDGETS)[number]]?: number } {
  const given = isRecord(limits) ? limits : {};
  return Object.fromEntries(
    BUDGETS.flatMap((name) => {
      const value = given[name];
      return typeof value === "number" ? [[name, value] as const] : [];
    }),
  );
}
