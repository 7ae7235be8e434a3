import * as v from "valibot";
import { DeployError } from "../../base/errors.ts";
import { checkPlace } from "../state/mod.ts";
import type { DeployPlan } from "./deploy_plan.ts";
import { PreparedPlan } from "./prepared_plan.ts";

const FILE = v.object({
  version: v.literal(1),
  place: v.object({ environment: v.string(), flow: v.string(), platform: v.string() }),
  to: v.string(),
  digest: v.string(),
});

/**
 * Refuses a plan that is not the one that was reviewed.
 *
 * @param plan What {@link plan} returns now.
 * @param reviewed The JSON of the reviewed plan, parsed.
 * @param name Name of its file, for messages.
 * @throws {DeployError} `wrong-place` for a plan of another flow, environment, platform or format; `plan-outdated` if the agent
 *   or the platform has changed since, or `reviewed` is not a plan.
 */
export function requireReviewedPlan(plan: DeployPlan, reviewed: unknown, name = "the reviewed plan"): void {
  const { place, target } = PreparedPlan.partsOf(plan).deployment;
  const hint = "Plan again, and review that plan: callweave deploy plan --out PLAN.json";
  const parsed = v.safeParse(FILE, reviewed);
  if (!parsed.success) throw new DeployError(`Cannot apply ${name}: it is not a plan`, { code: "plan-outdated", hint });
  const { place: of, to, digest } = parsed.output;
  checkPlace(name, of, place, { action: "Cannot apply", what: "a plan", hint });
  if (to !== target.to) {
    throw new DeployError(`Cannot apply: ${name} is a plan for ${to}, not for ${target.to}`, {
      code: "wrong-place",
      path: ["to"],
      hint,
    });
  }
  if (digest === plan.digest) return;
  throw new DeployError(`Cannot apply ${name}: the agent or the platform has changed since`, {
    code: "plan-outdated",
    path: ["digest"],
    hint,
  });
}
