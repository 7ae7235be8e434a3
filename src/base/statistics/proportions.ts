import { rule } from "../values/mod.ts";
import { checkNumbers, isCount } from "./checked.ts";

/** How many of some trials passed. */
export interface Proportion {
  readonly passes: number;
  /** Trials that passed or failed, from 1. */
  readonly trials: number;
}

/** Trials of one scenario in two runs. */
export interface ProportionPair {
  readonly base: Proportion;
  readonly head: Proportion;
}

/** Whether a value is a {@link Proportion}. */
function isProportion(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("passes" in value) || !("trials" in value)) return false;
  const { passes, trials } = value;
  return isCount(passes) && isCount(trials) && trials >= 1 && passes <= trials;
}

/** Rule of a proportion. */
export const PROPORTION = rule(
  "{ passes, trials } with at least one trial, and no more passes than trials",
  isProportion,
);

/** @throws {ScenarioError} `invalid-option`. */
export function checkPair(base: Proportion, head: Proportion, action: string): void {
  checkNumbers({ base, head }, { base: PROPORTION, head: PROPORTION }, action);
}
