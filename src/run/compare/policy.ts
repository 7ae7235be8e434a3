import { oneOf } from "../../base/values/mod.ts";
import { checkComparison } from "./comparable.ts";
import type { RunComparison } from "./types.ts";

/** When a comparison fails: when something got worse, when anything changed, or never. */
export const COMPARISON_POLICIES = ["worse", "changed", "never"] as const;

/** When a comparison fails: when something got worse, when anything changed, or never. */
export type ComparisonPolicy = (typeof COMPARISON_POLICIES)[number];

/** Outcome of a policy: `unknown` if scenarios cannot be compared and nothing else fails. */
export type ComparisonOutcome = "pass" | "fail" | "unknown";

/**
 * Decides whether a comparison fails under a policy. `worse`: fails when a scenario or criterion got worse by more than
 * noise. `changed`: fails also when one got better, or when a scenario is in one run only.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function judgeComparison(comparison: RunComparison, policy: ComparisonPolicy): ComparisonOutcome {
  const rules = { policy: oneOf(...COMPARISON_POLICIES) };
  checkComparison(comparison, "Cannot judge comparison", rules, { policy: policy ?? null });
  const { worse, better, onlyInBase, onlyInHead, untested } = comparison;
  if (policy === "never") return "pass";
  const changed = better.length + onlyInBase.length + onlyInHead.length > 0;
  if (worse.length > 0 || (policy === "changed" && changed)) return "fail";
  return untested.length > 0 ? "unknown" : "pass";
}
