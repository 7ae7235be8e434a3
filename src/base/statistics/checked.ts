import { ScenarioError } from "../errors.ts";
import { checkOptions, type OptionRules, rule } from "../values/mod.ts";

/** Rules of the numbers that statistics are computed from. */
export const NUMBERS = {
  count: rule("a whole number from 0", (value) => isCount(value)),
  share: rule("a number between 0 and 1, without 0 and 1", (value) => isNumber(value) && value > 0 && value < 1),
} as const satisfies OptionRules;

/**
 * Checks the arguments of a statistical function, all of which are required.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkNumbers(values: { readonly [name: string]: unknown }, rules: OptionRules, action: string): void {
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]));
  checkOptions(given, rules, ScenarioError, `Cannot ${action}`);
}

/** Whether a value is a whole number from 0 that is exact in floating point. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
