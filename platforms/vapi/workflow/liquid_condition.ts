import { rightOf } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/document/graph/mod.ts";

/** Groups: text before, expression, text after. For `{{ … }}` and `{% if … %}true{% else %}false{% endif %}`. */
const WRAPPERS = [
  /^(\s*\{\{-?\s*)([^{}]+?)(\s*-?\}\}\s*)$/,
  /^(\s*\{%-?\s*if\s+)([^{}]+?)(\s*-?%\}\s*true\s*(?:\{%-?\s*else\s*-?%\}\s*false\s*)?\{%-?\s*endif\s*-?%\}\s*)$/,
];
const TOKENS =
  /\s*(==|!=|<>|>=|<=|>|<|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[-+]?\d+(?:\.\d+)?(?![\w.])|[A-Za-z_][\w.-]*)/y;
const OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains"];

/** Liquid that consists of comparisons, with the braces around it. */
export interface LiquidCondition {
  readonly before: string;
  readonly after: string;
  readonly condition: TransitionCondition;
}

/**
 * Parses Liquid that only compares variables: `{{ city == "Bern" and age >= 18 }}`. Returns `undefined` for anything
 * else: mixed `and` and `or`, filters, a prompt with a placeholder.
 *
 * @param bare Whether the expression may have no braces.
 */
export function readLiquid(text: string, bare = false): LiquidCondition | undefined {
  const [, before, inner, after] = WRAPPERS.map((wrapper) => wrapper.exec(text)).find((match) => match) ?? [];
  if (inner === undefined && !bare) return undefined;
  const condition = readExpression(inner ?? text.trim());
  return condition && { before: before ?? "", after: after ?? "", condition };
}

const NAME = /^[A-Za-z_][\w.-]*$/;

/** Whether Liquid can compare with the right sides: literals, or variables that are not parts of a longer text. */
export function fitsLiquid({ equations }: TransitionCondition): boolean {
  return (equations ?? []).every((clause) => {
    const { names, variable = "" } = rightOf(clause);
    return names.length === 0 || NAME.test(variable);
  });
}

/** Writes an equation condition as a Liquid expression, without braces. */
export function writeExpression({ equations, logical_operator }: TransitionCondition): string {
  const clauses = (equations ?? []).map((clause) => {
    const { left, operator, right } = clause;
    if (operator === "exists") return `${left} != nil`;
    if (operator === "not_exist") return `${left} == nil`;
    const { text, variable } = rightOf(clause);
    return `${left} ${operator} ${variable ?? (typeof right === "string" ? quoted(text) : text || '""')}`;
  });
  return clauses.join(` ${logical_operator ?? "and"} `);
}

function quoted(text: string): string {
  return text.includes('"') && !text.includes("'") ? `'${text}'` : `"${text.replaceAll('"', '\\"')}"`;
}

function readExpression(text: string): TransitionCondition | undefined {
  const tokens = tokenize(text);
  if (!tokens) return undefined;
  const equations: EquationClause[] = [];
  const joints = new Set<string>();
  for (let at = 0; at < tokens.length; at += 4) {
    const [left = "", operator = "", right, joint] = tokens.slice(at, at + 4);
    const clause = readClause(left, operator === "<>" ? "!=" : operator, right);
    if (!clause || (joint !== undefined && !["and", "or"].includes(joint))) return undefined;
    if (joint !== undefined && at + 4 >= tokens.length) return undefined;
    if (joint !== undefined) joints.add(joint);
    equations.push(clause);
  }
  if (equations.length === 0 || joints.size > 1) return undefined;
  const operator = joints.has("or") ? "or" : "and";
  return {
    type: "equation",
    value: "",
    equations,
    ...(equations.length > 1 ? { logical_operator: operator } : {}),
  };
}

function tokenize(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(TOKENS, "gy"))) {
    tokens.push(match[1] ?? "");
    end = match.index + match[0].length;
  }
  return text.slice(end).trim() === "" ? tokens : undefined;
}

function readClause(left: string, operator: string, right: string | undefined): EquationClause | undefined {
  if (!/^[A-Za-z_]/.test(left) || right === undefined || !OPERATORS.includes(operator)) return undefined;
  if (["nil", "null", "blank", "empty"].includes(right)) {
    if (operator === "!=") return { left, operator: "exists" };
    return operator === "==" ? { left, operator: "not_exist" } : undefined;
  }
  if (/^["']/.test(right)) {
    const literal = right.slice(1, -1).replace(/\\(.)/g, "$1");
    return literal.includes("{{") ? undefined : { left, operator, right: literal };
  }
  return { left, operator, right: NAME.test(right) && !["true", "false"].includes(right) ? `{{${right}}}` : right };
}
