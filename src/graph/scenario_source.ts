import type { Scenario } from "./scenario.ts";

/** A scenario, or what builds one: `scenario("…").says("…")` can be passed wherever scenarios are taken. */
export type ScenarioSource = Scenario | { readonly toJSON: () => Scenario };

/** The plain document of a scenario. */
export function toScenario(source: ScenarioSource): Scenario {
  return "toJSON" in source && typeof source.toJSON === "function" ? source.toJSON() : (source as Scenario); // a document has no function
}
