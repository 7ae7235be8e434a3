import { defined } from "../../../src/base/values/mod.ts";
import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { Loss } from "../../platform.ts";

/** Model that plays the caller and judges, as in the examples of Vapi's documentation. */
export const TESTER = "gpt-4.1";

/** Adds a loss for a key of a scenario: `emulated` if something is emitted instead, else `dropped`. */
export type Lose = (key: string, code: string, message: string, instead?: string) => void;

/** Returns the function that adds a scenario's losses to a list. */
export function losesInto(losses: Loss[], { name }: Scenario): Lose {
  const hint = "Run the scenario with Callweave, which supports it";
  return (key, code, message, instead) => {
    const kind = instead === undefined ? "dropped" : "emulated";
    losses.push(defined({ kind, path: [name, key], hint, code, message, instead }));
  };
}

/** Adds losses that simulations and evals share. */
export function loseCommon(scenario: Scenario, lose: Lose): void {
  const { visits, avoids, ends, max_turns: turns, llm_model: model, answers_within_ms: limitMs } = scenario;
  for (const [key, list] of Object.entries({ visits, avoids }))
    if (list.length > 0) lose(key, "path-expectation", "Vapi's tests cannot check which members a call visits");
  if (ends) lose("ends", "end-expectation", "Vapi's tests cannot check how a call ends");
  if (limitMs !== undefined && limitMs !== null)
    lose("answers_within_ms", "latency-expectation", "Vapi's tests do not measure latency");
  if (turns !== undefined && turns !== null) lose("max_turns", "turn-limit", "Vapi's tests have no turn limit");
  if (model) lose("llm_model", "agent-model", "Vapi's tests run the agent with its own models");
  for (const [index, { threshold }] of scenario.metrics.entries()) {
    const message = `Vapi judges with yes or no, without a threshold such as ${threshold}`;
    if (threshold != null) lose("metrics", "metric-threshold", message, `criterion ${index + 1} as yes or no`);
  }
}

/** Truncates a text to Vapi's limit, in whole characters. */
export function clipped(text: string, most: number, key: string, lose: Lose): string {
  if (text.length <= most) return text;
  const message = `A text of ${text.length} characters is longer than Vapi's limit of ${most}`;
  lose(key, "text-clipped", message, `its first ${most} characters`);
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns Vapi's overrides for a scenario's variables under a key; empty if there are no variables. */
export function variableOverrides<Key extends string>(key: Key, { dynamic_variables: variables }: Scenario) {
  const overrides = { [key]: { variableValues: { ...variables } } };
  return Object.keys(variables).length > 0 ? overrides : {};
}
