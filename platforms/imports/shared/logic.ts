import { clauseWords } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/document/graph/mod.ts";

/** A condition of another tool: comparisons, and what is only known in words. `all` of nothing is true, `any` false. */
export type Logic =
  | { readonly kind: "clause"; readonly clause: EquationClause }
  | { readonly kind: "all" | "any"; readonly of: readonly Logic[] }
  | { readonly kind: "not"; readonly of: Logic }
  | { readonly kind: "words"; readonly words: string };

export const ALWAYS: Logic = { kind: "all", of: [] };
export const NEVER: Logic = { kind: "any", of: [] };

export const all = (...of: readonly Logic[]): Logic => ({ kind: "all", of });
export const any = (...of: readonly Logic[]): Logic => ({ kind: "any", of });
export const not = (of: Logic): Logic => ({ kind: "not", of });
export const words = (text: string): Logic => ({ kind: "words", words: text });

/** A comparison of a variable. */
export function compared(left: string, operator: string, right?: string | number | boolean): Logic {
  return { kind: "clause", clause: right === undefined ? { left, operator } : { left, operator, right } };
}

/** A comparison that other tools call true for a variable without a value: an unset one is not "sales" either. */
export const different = (left: string, operator: "!=" | "not_contains", right: string | number | boolean): Logic =>
  any(compared(left, operator, right), compared(left, "not_exist"));

const WRITTEN: { readonly [operator: string]: string } = { "=": "==", "<": "<", "<=": "<=", ">": ">", ">=": ">=" };

/** A comparison with a value by an operator as expressions write it; `undefined` for an operator that equations lack. */
export function comparedAs(left: string, written: string, right: string | number): Logic | undefined {
  if (written === "!=") return different(left, "!=", right);
  const operator = Object.hasOwn(WRITTEN, written) ? WRITTEN[written] : undefined;
  return operator === undefined ? undefined : compared(left, operator, right);
}

/** A comparison with no value at all; `undefined` for an operator that has no meaning there. */
export function comparedToNothing(left: string, written: string): Logic | undefined {
  if (written === "=") return compared(left, "not_exist");
  return written === "!=" ? compared(left, "exists") : undefined;
}

const OPPOSITES: { readonly [operator: string]: string } = {
  "==": "!=",
  "!=": "==",
  ">": "<=",
  ">=": "<",
  "<": ">=",
  "<=": ">",
  contains: "not_contains",
  not_contains: "contains",
};

/** More alternatives than people write. A longer condition is left in words, so that a graph does not explode. */
const MOST_ALTERNATIVES = 16;

/**
 * Writes a condition as conditions of transitions, of which one has to hold. An equation condition has one operator, so
 * that "a and (b or c)" becomes two. What has no equation is an LLM condition.
 */
export function conditionsOf(logic: Logic): readonly TransitionCondition[] {
  const alternatives = hasWords(logic) ? undefined : alternativesOf(logic, false);
  if (alternatives === undefined) return [{ type: "llm_prompt", value: wordsOf(logic) }];
  if (alternatives.some((clauses) => clauses.length === 0)) return [{ type: "always", value: "" }];
  const [first, ...others] = alternatives;
  if (first && others.length > 0 && alternatives.every((clauses) => clauses.length === 1))
    return [{ type: "equation", value: "", equations: alternatives.flat(), logical_operator: "or" }];
  return alternatives.map((equations) => ({ type: "equation", value: "", equations }));
}

/** Whether conditions are decided without a model. */
export const isExact = (conditions: readonly TransitionCondition[]): boolean =>
  conditions.every(({ type }) => type !== "llm_prompt");

function hasWords(logic: Logic): boolean {
  if (logic.kind === "words") return true;
  if (logic.kind === "clause") return false;
  return logic.kind === "not" ? hasWords(logic.of) : logic.of.some(hasWords);
}

/** Lists of clauses of which one has to hold whole; `undefined` for too many. */
function alternativesOf(logic: Logic, isNegated: boolean): readonly (readonly EquationClause[])[] | undefined {
  if (logic.kind === "words") return undefined;
  if (logic.kind === "clause") return isNegated ? opposites(logic.clause) : [[logic.clause]];
  if (logic.kind === "not") return alternativesOf(logic.of, !isNegated);
  const isJoined = (logic.kind === "all") !== isNegated;
  let found: readonly (readonly EquationClause[])[] = isJoined ? [[]] : [];
  for (const part of logic.of) {
    const more = alternativesOf(part, isNegated);
    if (more === undefined) return undefined;
    found = isJoined ? found.flatMap((left) => more.map((right) => [...left, ...right])) : [...found, ...more];
    if (found.length > MOST_ALTERNATIVES) return undefined;
  }
  return found;
}

function opposites(clause: EquationClause): readonly (readonly EquationClause[])[] | undefined {
  const { left, operator } = clause;
  if (operator === "exists") return [[{ left, operator: "not_exist" }]];
  if (operator === "not_exist") return [[{ left, operator: "exists" }]];
  const opposite = Object.hasOwn(OPPOSITES, operator) ? OPPOSITES[operator] : undefined;
  if (opposite === undefined) return undefined;
  return [[{ ...clause, operator: opposite }], [{ left, operator: "not_exist" }]];
}

/** A condition as a sentence for a model, with placeholders to fill. */
export function wordsOf(logic: Logic): string {
  switch (logic.kind) {
    case "words":
      return logic.words;
    case "clause": {
      const { left, operator, right } = logic.clause;
      return clauseWords(`{{${left}}}`, operator, JSON.stringify(right ?? ""));
    }
    case "not":
      return `it is not true that ${wordsOf(logic.of)}`;
    default:
      return logic.of.map((part) => wrapped(part)).join(logic.kind === "all" ? " and " : " or ");
  }
}

function wrapped(part: Logic): string {
  const isList = (part.kind === "all" || part.kind === "any") && part.of.length > 1;
  return isList ? `(${wordsOf(part)})` : wordsOf(part);
}
