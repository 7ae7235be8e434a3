import { type JsonObject, omit, sameJson } from "../../base/values/mod.ts";
import { completeScenario } from "./complete.ts";
import type { Scenario } from "./scenario.ts";

/** A scenario in short form: without keys that have their default value. */
export function briefScenario(scenario: Scenario): JsonObject {
  const empty = completeScenario({ name: scenario.name });
  const defaults: ReadonlyMap<string, unknown> = new Map(Object.entries(omit({ ...empty }, ["name"])));
  return Object.fromEntries(Object.entries(scenario).filter(([key, value]) => !sameJson(defaults.get(key), value)));
}
