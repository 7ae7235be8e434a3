import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { bareName, clauseWords, isDecimal, rightOf } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { isText, type Lose } from "../shared/mod.ts";

/** A part of an expression: one that is written here, or one that a document has. */
type Operand = Expression | JsonObject;

/** An expression of Telnyx's edges. The vendor's types leave its parts open. */
export type Expression =
  | { readonly type: "comparison"; readonly op: string; readonly left: Expression; readonly right: Expression }
  | { readonly type: "bool_op"; readonly op: "and" | "or" | "not"; readonly operands: readonly Operand[] }
  | { readonly type: "variable"; readonly name: string }
  | { readonly type: "string_literal"; readonly value: string }
  | { readonly type: "number_literal"; readonly value: number }
  | { readonly type: "bool_literal"; readonly value: boolean };

export const TRUE: Expression = { type: "bool_literal", value: true };
export const FALSE: Expression = { type: "bool_literal", value: false };

const OPERATORS: readonly string[] = ["==", "!=", "<", "<=", ">", ">=", "contains", "not_contains"];
const ORDERED: readonly string[] = ["<", "<=", ">", ">="];
/** The operator with its sides swapped; others cannot be swapped. */
const SWAPPED: { readonly [op: string]: string } = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const NEGATED: { readonly [op: string]: string } = {
  ...{ "==": "!=", "!=": "==", contains: "not_contains", not_contains: "contains" },
};

/** Joins expressions by `and`. */
export function allOf(expressions: readonly Operand[]): Operand {
  const [first, ...others] = expressions;
  if (!first) return TRUE;
  return others.length === 0 ? first : { type: "bool_op", op: "and", operands: expressions };
}

/** A variable that has a value, or none. */
export const isFilled = (name: string, filled: boolean): Expression => ({
  type: "comparison",
  op: filled ? "!=" : "==",
  left: { type: "variable", name },
  right: { type: "string_literal", value: "" },
});

/** Reads an expression as equations that are all true, or of which one is; `undefined` for any other expression. */
export function readExpression(value: unknown): TransitionCondition | undefined {
  if (isRecord(value) && value.type === "bool_literal")
    return value.value === true ? { type: "always", value: "" } : { type: "equation", value: "", equations: [] };
  const joint: "and" | "or" =
    isRecord(value) && value.type === "bool_op" && (value.op === "and" || value.op === "or") ? value.op : "and";
  const clauses = clausesOf(value, joint);
  if (!clauses || clauses.length === 0) return undefined;
  const logical = clauses.length > 1 ? { logical_operator: joint } : {};
  return { type: "equation", value: "", equations: clauses, ...logical };
}

function clausesOf(value: unknown, joint: "and" | "or", isNegated = false): EquationClause[] | undefined {
  if (!isRecord(value)) return undefined;
  const operands: readonly unknown[] = Array.isArray(value.operands) ? value.operands : [];
  if (value.type === "comparison") {
    const clause = clauseOf(value, isNegated);
    return clause && [clause];
  }
  if (value.type !== "bool_op") return undefined;
  if (value.op === "not" && operands.length === 1) return clausesOf(operands[0], joint, !isNegated);
  if (value.op !== joint || isNegated) return undefined;
  const all = operands.map((each) => clausesOf(each, joint));
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

function clauseOf({ op, left, right }: JsonObject, isNegated: boolean): EquationClause | undefined {
  const name = nameOf(left);
  const operator = name === undefined ? SWAPPED[String(op)] : String(op);
  const compared = isNegated ? NEGATED[operator ?? ""] : operator;
  const other = sideOf(name === undefined ? left : right);
  const variable = name ?? nameOf(right);
  if (variable === undefined || other === undefined || compared === undefined || !OPERATORS.includes(compared))
    return undefined;
  return { left: variable, operator: compared, right: other };
}

const nameOf = (side: unknown) =>
  isRecord(side) && side.type === "variable" && isText(side.name) ? side.name : undefined;

/** A literal, or a variable in braces. A text with braces would be filled, so it is not read. */
function sideOf(side: unknown): string | number | boolean | undefined {
  if (!isRecord(side)) return undefined;
  const name = nameOf(side);
  if (name !== undefined) return /[{}]/.test(name) ? undefined : `{{${name}}}`;
  const { type, value } = side;
  if (type === "string_literal" && isText(value)) return value.includes("{{") ? undefined : value;
  if (type === "number_literal" && typeof value === "number") return value;
  return type === "bool_literal" && typeof value === "boolean" ? value : undefined;
}

/** An expression in words, for a model that judges it. */
export function expressionWords(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const { type, op, left, right, operands } = value;
  const part = (each: unknown) => {
    const words = expressionWords(each);
    const isWhole =
      isRecord(each) && each.type !== "comparison" && each.type !== "bool_op" && each.type !== "arithmetic";
    return isWhole ? words : `(${words})`;
  };
  if (type === "variable" && isText(value.name)) return `{{${value.name}}}`;
  if (type === "comparison") return clauseWords(part(left), String(op), part(right));
  if (type === "arithmetic") return `${part(left)} ${String(op)} ${part(right)}`;
  if (type === "bool_op" && Array.isArray(operands) && operands.length > 0)
    return op === "not"
      ? `it is not true that ${operands.map(part).join(" and ")}`
      : operands.map(part).join(` ${String(op)} `);
  return JSON.stringify(Object.hasOwn(value, "value") ? value.value : value);
}

/** Writes equations. One that can never be true is `false`. */
export function writeEquation(
  { equations, logical_operator: joint }: TransitionCondition,
  path: Path,
  lose: Lose,
): Expression {
  const all = (equations ?? []).map((clause) => writeClause(clause, path, lose));
  if (all.length === 0) return FALSE;
  if (all.length === 1 && all[0]) return all[0];
  return { type: "bool_op", op: joint === "or" ? "or" : "and", operands: all };
}

function writeClause(clause: EquationClause, path: Path, lose: Lose): Expression {
  const { operator } = clause;
  const left = bareName(clause.left);
  if (operator === "exists" || operator === "not_exist") {
    lose("exists", path, left);
    return isFilled(left, operator === "exists");
  }
  if (!OPERATORS.includes(operator)) {
    lose("operator", path, [left, operator, clause.right].filter((side) => side != null).join(" "));
    return FALSE;
  }
  return {
    type: "comparison",
    op: operator,
    left: { type: "variable", name: left },
    right: rightSide(clause, path, lose),
  };
}

/** The right side. Numbers are written only where calls compare numbers: whether "5" is 5 is not documented. */
function rightSide(clause: EquationClause, path: Path, lose: Lose): Expression {
  const { text, variable, names } = rightOf(clause);
  if (variable !== undefined) return { type: "variable", name: variable };
  if (names.length > 0) lose("operand", path, text);
  if (!ORDERED.includes(clause.operator) || !isDecimal(text)) return { type: "string_literal", value: text };
  const value = Number(text);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) lose("operand", path, text);
  return { type: "number_literal", value };
}
