import { DEFAULT_GATE, isGate } from "../../base/statistics/mod.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import type { PlannedScenario } from "./summarise.ts";

/**
 * Reads the plan of a stored run from its options, for the scenarios that have results. Runs without a stored plan, such
 * as imported ones, count as complete.
 */
export function plannedIn(
  { options }: { readonly options: JsonObject },
  results: readonly { readonly scenario: string; readonly trial: number }[],
): readonly PlannedScenario[] {
  const found = new Map<string, number>();
  for (const { scenario, trial } of results) found.set(scenario, Math.max(trial, found.get(scenario) ?? 0));
  const different = new Map(
    (Array.isArray(options.trials) ? options.trials : []).flatMap((each: unknown) =>
      isRecord(each) && typeof each.scenario === "string" ? [[each.scenario, each] as const] : [],
    ),
  );
  return [...found].map(([scenario, highest]) => {
    const { planned = options.repeat, gate = options.gate } = different.get(scenario) ?? {};
    return {
      scenario,
      planned: typeof planned === "number" ? Math.max(planned, highest) : highest,
      gate: isGate(gate) ? gate : DEFAULT_GATE,
    };
  });
}
