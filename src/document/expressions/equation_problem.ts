import type { ErrorCode } from "../../base/errors.ts";
import { didYouMean, quotedList } from "../../base/values/mod.ts";
import type { EquationClause, EquationOperator, VariableExtraction } from "../graph/mod.ts";
import { bareName, isDecimal, rightOf } from "./equations.ts";

/** Operators by the kind of right side they need. */
const OPERATORS = {
  "==": "value",
  "!=": "value",
  contains: "value",
  not_contains: "value",
  ">": "number",
  ">=": "number",
  "<": "number",
  "<=": "number",
  exists: "nothing",
  not_exist: "nothing",
} as const satisfies { readonly [operator in EquationOperator]: "value" | "number" | "nothing" };

/** A problem of an equation that can never match. */
export interface EquationProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/**
 * Finds problems of an equation other than an unknown left side: an unknown operator or one that the variable's type
 * does not support, or a right side that is missing, not a number, or not one of the variable's choices.
 *
 * A right side with placeholders can be anything.
 */
export function equationProblem(
  clause: EquationClause,
  variables: ReadonlyMap<string, VariableExtraction>,
): EquationProblem | undefined {
  const { left, operator, right } = clause;
  const written = `${left} ${operator}${right === undefined || right === null ? "" : ` ${JSON.stringify(right)}`}`;
  const mismatch = (state: string, hint: string) =>
    ({ code: "equation-mismatch", message: `equation "${written}" ${state}`, hint }) as const;
  const needs = Object.entries(OPERATORS).find(([name]) => name === operator)?.[1];
  if (!needs) {
    const hint = didYouMean(operator, Object.keys(OPERATORS), `Use one of ${Object.keys(OPERATORS).join(" ")}`);
    return mismatch(`has an unknown operator`, hint);
  }
  if (needs === "nothing") return undefined;
  if (right === undefined || right === null) return mismatch("has no right side", "Add the value to compare with");
  const variable = variables.get(bareName(left));
  if (needs === "number" && variable && !["number", "string"].includes(variable.type)) {
    return mismatch(
      `compares the order of a variable that is not a number`,
      `Use == or !=, or make "${left}" a number`,
    );
  }
  if (rightOf(clause).names.length > 0) return undefined;
  const meant = typeof right === "string" && variables.has(right) ? rightHint(right) : undefined;
  if (needs === "number" && !isNumber(right))
    return mismatch("compares with a value that is not a number", meant ?? "Write a number on the right");
  if (!variable || (operator !== "==" && operator !== "!=")) return undefined;
  if (variable.type === "number" && !isNumber(right)) {
    return mismatch("compares a number with a text", meant ?? "Write a number on the right");
  }
  if (variable.type === "boolean" && right !== true && right !== false && right !== "true" && right !== "false") {
    return mismatch("compares a boolean with something else", meant ?? "Write true or false on the right");
  }
  const choices = variable.choices ?? [];
  if (variable.type === "enum" && choices.length > 0 && !choices.includes(String(right))) {
    const hint = meant ?? didYouMean(String(right), choices, `Use one of ${quotedList(choices)}`);
    return {
      code: "unknown-choice",
      message: `equation "${written}" compares with a value that is not a choice of "${left}"`,
      hint,
    };
  }
  return undefined;
}

/** The change of a right side that is the name of a variable by mistake. */
export function rightHint(name: string): string {
  return `Write "{{${name}}}" on the right to compare with the variable`;
}

function isNumber(value: string | number | boolean): boolean {
  return typeof value === "number" ? Number.isFinite(value) : typeof value === "string" && isDecimal(value);
}
