import { equationProblem } from "../../src/expressions/mod.ts";
import {
  type EquationClause,
  isUnary,
  type TransitionCondition,
  type VariableExtraction,
} from "../../src/graph/mod.ts";
import { sameJson } from "../../src/values/mod.ts";
import { type Clauses, when } from "../condition.ts";
import { type Code, call, name, object } from "./code.ts";
import { stringCode } from "./text_code.ts";
import { valueCode } from "./value_code.ts";

/** An equation of `when`, and the code that creates it. */
export interface EjectedEquation {
  readonly condition: Clauses;
  readonly code: Code;
}

const OPERATORS: { readonly [type: string]: readonly string[] } = {
  string: ["==", "!=", "contains", "not_contains", "exists", "not_exist"],
  number: ["==", "!=", ">", ">=", "<", "<=", "exists", "not_exist"],
  boolean: ["==", "!=", "exists", "not_exist"],
  enum: ["==", "!=", "exists", "not_exist"],
};

/**
 * A condition as code with `when`; `undefined` if the compiler would reject it.
 *
 * @param kinds Types of the declared variables in the code.
 */
export function ejectEquation(
  condition: TransitionCondition,
  variables: ReadonlyMap<string, VariableExtraction>,
): EjectedEquation | undefined {
  const clauses = condition.equations ?? [];
  const [first, ...others] = clauses;
  if (condition.type !== "equation" || !first || !clauses.every((clause) => fits(clause, variables))) return undefined;
  const join = condition.logical_operator === "or" ? "or" : "and";
  const argsOf = (clause: EquationClause) => valuesOf(clause, variables);
  let made = when(first.left, first.operator, ...argsOf(first));
  for (const clause of others) made = made[join](clause.left, clause.operator, ...argsOf(clause));
  if (!sameJson(made.condition(), condition)) return undefined;
  const head = call("when", ...argCodes(first, variables));
  const calls = others.map((clause) => ({ name: join, args: argCodes(clause, variables) }));
  return { condition: made, code: calls.length === 0 ? head : { kind: "chain", head, calls } };
}

function fits(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): boolean {
  const { left, operator, right } = clause;
  const variable = variables.get(left);
  if (!variable || !OPERATORS[variable.type]?.includes(operator)) return false;
  if (equationProblem(clause, variables)) return false;
  if (isUnary(operator)) return right === undefined;
  if (typeof right === "string" && variables.has(right)) return true;
  if (variable.type === "enum") return typeof right === "string" && (variable.choices ?? []).includes(right);
  return typeof right === variable.type;
}

function valuesOf({ operator, right }: EquationClause, variables: ReadonlyMap<string, VariableExtraction>) {
  if (isUnary(operator)) return [];
  return [typeof right === "string" && variables.has(right) ? { variable: right } : right];
}

function argCodes(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): readonly Code[] {
  const values = valuesOf(clause, variables).map((value) =>
    typeof value === "object" && value !== null
      ? object([{ key: "variable", value: stringCode(String(clause.right)) }])
      : value === undefined
        ? name("undefined")
        : valueCode(value),
  );
  return [stringCode(clause.left), stringCode(clause.operator), ...values];
}
