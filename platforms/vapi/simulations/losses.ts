import { DEFAULT_THRESHOLD, type Scenario } from "../../../src/scenario/mod.ts";
import type { Loss } from "../../platform.ts";

/** Model that plays the caller and judges, as in the examples of Vapi's documentation. */
export const TESTER = "gpt-4.1";

/** Adds a loss for a path in a scenario. */
export function lose(
  losses: Loss[],
  { name }: Scenario,
  key: string,
  loss: Pick<Loss, "code" | "message" | "instead"> & { readonly kind?: Loss["kind"] },
): void {
  const hint = "Run the scenario with Callweave, which checks this as well";
  losses.push({ kind: "dropped", path: [name, key], hint, ...loss });
}

/** Adds losses that simulations and evals share. */
export function loseCommon(scenario: Scenario, losses: Loss[]): void {
  const drop = (key: string, code: string, message: string) => lose(losses, scenario, key, { code, message });
  const { visits, avoids, ends, max_turns: turns, llm_model: model } = scenario;
  if (visits.length > 0) drop("visits", "path-expectation", "Vapi's tests do not see which members a call visits");
  if (avoids.length > 0) drop("avoids", "path-expectation", "Vapi's tests do not see which members a call visits");
  if (ends) drop("ends", "end-expectation", "Vapi's tests do not compare how a call ended");
  if (turns !== undefined && turns !== null) drop("max_turns", "turn-limit", "Vapi's tests have no turn limit");
  if (model) drop("llm_model", "agent-model", "Vapi's tests run the agent on the models that it has");
  for (const [index, { threshold }] of scenario.metrics.entries())
    if (threshold !== DEFAULT_THRESHOLD) {
      const message = `Vapi judges yes or no, and has no threshold such as ${threshold}`;
      lose(losses, scenario, "metrics", {
        code: "metric-threshold",
        kind: "emulated",
        message,
        instead: `criterion ${index + 1} as yes or no`,
      });
    }
}

/** Truncates a text to Vapi's limit, in whole characters. */
export function clipped(text: string, most: number, scenario: Scenario, key: string, losses: Loss[]): string {
  if (text.length <= most) return text;
  const message = `A text of ${text.length} characters is longer than Vapi's limit of ${most}`;
  lose(losses, scenario, key, {
    code: "text-clipped",
    kind: "emulated",
    message,
    instead: `its first ${most} characters`,
  });
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}
