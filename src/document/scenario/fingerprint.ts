import { createHash } from "node:crypto";
import { canonicalJson } from "../../base/values/mod.ts";
import { CHECKS } from "./check.ts";
import type { Scenario } from "./scenario.ts";

/** Length of a fingerprint; enough to notice a change. */
const DIGITS = 16;

/** A hash of everything that a scenario says, the texts of its check functions included. */
export function scenarioFingerprint(scenario: Scenario): string {
  const checks = (scenario[CHECKS] ?? []).map(({ name, judge, threshold }) => [name, String(judge), threshold ?? null]);
  return shortHash([scenario, checks]);
}

/** A short hash of a value of JSON, whatever the order of its keys. */
export function shortHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, DIGITS);
}
