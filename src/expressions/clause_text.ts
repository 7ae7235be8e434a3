import type { EquationClause } from "../graph/mod.ts";
import { shown } from "../values/mod.ts";
import { bareName } from "./bare_name.ts";
import { textOf } from "./text_of.ts";

/** Operators without a right side. */
export const UNARY: readonly string[] = ["exists", "not_exist"];

/** Formats an equation as in code: `balance < 0`, `topic == "repair"`, `day exists`. */
export function clauseText({ left, operator, right }: EquationClause): string {
  const name = bareName(left);
  return UNARY.includes(operator) ? `${name} ${operator}` : `${name} ${operator} ${rightText(textOf(right) ?? "")}`;
}

/** Numbers verbatim, all else in quotes and shortened. */
export function rightText(literal: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(literal) ? literal : shown(literal);
}
