import { bareName, textOf } from "../../../src/document/expressions/mod.ts";
import { isUnary, type TransitionCondition } from "../../../src/document/graph/mod.ts";
import { quoted } from "./layout.ts";

/** How a language writes conditions. */
export interface ConditionWords {
  /** Calls a method that tells whether an equation holds. */
  readonly holds: string;
  readonly hasCalled: string;
  readonly and: string;
  readonly or: string;
  readonly true: string;
  readonly false: string;
  /** Whether the function of a silent agent has an outcome. */
  readonly outcome: (succeeded: boolean | undefined) => string;
}

/** The parts of a condition, and what joins them. */
export interface Parts {
  readonly parts: readonly string[];
  readonly joint: string;
}

/** A condition in a language. */
export function conditionParts(condition: TransitionCondition, isSilent: boolean, words: ConditionWords): Parts {
  const { type, value, outcome, equations, logical_operator: operator } = condition;
  const succeeded = outcome ? outcome === "succeeded" : undefined;
  const alone = (part: string) => ({ parts: [part], joint: "" });
  if (type === "tool_call" && isSilent) return alone(words.outcome(succeeded));
  if (type === "tool_call") {
    const given = succeeded === undefined ? "" : `, ${words[`${succeeded}`]}`;
    return alone(`${words.hasCalled}(${quoted(value)}${given})`);
  }
  const clauses = (equations ?? []).map(({ left, operator: sign, right }) => {
    const sides = [bareName(left), sign, ...(isUnary(sign) ? [] : [textOf(right) ?? ""])];
    return `${words.holds}(${sides.map(quoted).join(", ")})`;
  });
  return clauses.length === 0
    ? alone(words.false)
    : { parts: clauses, joint: operator === "or" ? words.or : words.and };
}
