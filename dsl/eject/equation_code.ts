import { sameJson } from "../../src/base/values/mod.ts";
import { equationProblem, isKnownPlaceholder, placeholdersIn, rightOf } from "../../src/document/expressions/mod.ts";
import {
  type EquationClause,
  isUnary,
  type TransitionCondition,
  type VariableExtraction,
} from "../../src/document/graph/mod.ts";
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
  if (referenceOf(clause, variables) !== undefined) return true;
  if (!placeholdersIn(rightOf(clause).text).every((name) => isKnownPlaceholder(name, variables))) return false;
  if (variable.type === "enum") return typeof right === "string" && (variable.choices ?? []).includes(right);
  return typeof right === variable.type;
}

/** The declared variable that a right side stands for. */
function referenceOf(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): string | undefined {
  const { text, variable } = rightOf(clause);
  return variable !== undefined && variables.has(variable) && text === `{{${variable}}}` ? variable : undefined;
}

function valuesOf(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>) {
  if (isUnary(clause.operator)) return [];
  const variable = referenceOf(clause, variables);
  return [variable === undefined ? clause.right : { variable }];
}

function argCodes(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): readonly Code[] {
  const values = valuesOf(clause, variables).map((value) =>
    typeof value === "object" && value !== null
      ? object([{ key: "variable", value: stringCode(rightOf(clause).variable ?? "") }])
      : value === undefined
        ? name("undefined")
        : valueCode(value),
  );
  return [stringCode(clause.left), stringCode(clause.operator), ...values];
}
