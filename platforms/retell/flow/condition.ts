import { bareName } from "../../../src/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";

/** A clause that no variable can fulfil: what a malformed equation is read as. */
const NEVER: EquationClause = { left: "", operator: "" };

const SENTENCE =
  /^\s*(?:\{\{\s*([^{}]+?)\s*\}\}|([\w.-]+))\s*(==|!=|>=|<=|>|<|contains|not_contains|exists|not_exist)\s*(?:"([^"]*)"|'([^']*)'|(\S.*?))?\s*$/;

/** What a condition of `edges` or of `go_back_conditions` says, in the graph's terms. */
export function getCondition(value: unknown): TransitionCondition {
  if (!isRecord(value)) return { type: "llm_prompt", value: "" };
  if (value.type === "equation") {
    const equations = getClauses(value);
    const operator = value.operator === "||" ? "or" : equations.length > 1 ? "and" : undefined;
    return { type: "equation", value: "", equations, ...(operator ? { logical_operator: operator } : {}) };
  }
  return { type: "llm_prompt", value: typeof value.prompt === "string" ? value.prompt : "" };
}

/** Writes a condition as Retell would have it, with nothing to go by. */
export function plainCondition(condition: TransitionCondition): RetellCondition {
  if (condition.type !== "equation") return { type: "prompt", prompt: condition.value };
  return {
    type: "equation",
    equations: (condition.equations ?? []).map((clause) => plainClause(clause)),
    operator: condition.logical_operator === "or" ? "||" : "&&",
  };
}

/** A condition as Retell's types have it; operators and further keys are as open as the platform is. */
export type RetellCondition =
  | { readonly type: "prompt"; readonly prompt: string }
  | { readonly type: "equation"; readonly equations: RetellClause[]; readonly operator: "||" | "&&" };

/** A clause as Retell has it. */
export interface RetellClause {
  readonly left: string;
  readonly operator: string;
  readonly right?: string;
}

/** Writes a condition over the one it was read from: what did not change keeps its spelling. */
export function putCondition(condition: TransitionCondition, original: unknown): unknown {
  if (original === undefined) return plainCondition(condition);
  const before = getCondition(original);
  if (sameCondition(before, condition)) return original;
  const plain = plainCondition(condition);
  if (!isRecord(original)) return plain;
  const others = omit(original, [
    "type",
    "prompt",
    "equations",
    "operator",
    "left",
    "right",
    "left_side",
    "right_side",
  ]);
  if (plain.type === "prompt" && before.type === "llm_prompt") return { ...original, prompt: plain.prompt };
  if (plain.type === "prompt" || original.type !== "equation") return { ...others, ...plain };
  const [clause, ...more] = plain.equations;
  if (!Array.isArray(original.equations) && clause && more.length === 0 && Object.hasOwn(original, "left_side"))
    return putSides(original, clause);
  const keepsOperator =
    (before.logical_operator ?? "and") === (condition.logical_operator ?? "and") && Array.isArray(original.equations);
  const clauses = putClauses(condition.equations ?? [], original.equations);
  const operator = keepsOperator ? originalKey(original, "operator") : { operator: plain.operator };
  return { ...others, ...originalKey(original, "prompt"), type: "equation", equations: clauses, ...operator };
}

/** One comparison as hand-written files have it, in the condition itself. */
function putSides(original: JsonObject, { left, operator, right }: RetellClause): JsonObject {
  const sameLeft = typeof original.left_side === "string" && bareName(original.left_side) === left;
  return {
    ...omit(original, ["right_side"]),
    ...(sameLeft ? {} : { left_side: left }),
    operator,
    ...(right === undefined ? {} : { right_side: right }),
  };
}

/** Whether two conditions say the same; an absent operator is `and`. */
export function sameCondition(a: TransitionCondition, b: TransitionCondition): boolean {
  const said = (condition: TransitionCondition) => ({
    type: condition.type,
    value: condition.type === "equation" ? "" : condition.value,
    equations: (condition.equations ?? []).map(saidClause),
    or: condition.logical_operator === "or",
    outcome: condition.outcome ?? null,
  });
  return sameJson(said(a), said(b));
}

function originalKey(original: JsonObject, key: string): JsonObject {
  return Object.hasOwn(original, key) ? { [key]: original[key] } : {};
}

function getClauses(condition: JsonObject): EquationClause[] {
  if (Array.isArray(condition.equations)) return condition.equations.map(getClause);
  const { left_side: left = condition.left, operator, right_side: right = condition.right } = condition;
  return [getClause({ left, operator, right })];
}

function getClause(value: unknown): EquationClause {
  if (typeof value === "string") return parseSentence(value) ?? NEVER;
  if (!isRecord(value) || typeof value.left !== "string" || typeof value.operator !== "string") return NEVER;
  const { right } = value;
  const fits = typeof right === "string" || typeof right === "number" || typeof right === "boolean";
  return { left: bareName(value.left), operator: value.operator, ...(fits ? { right } : {}) };
}

/** `{{name}} == "x"`, as hand-written files have it in place of an object. */
function parseSentence(text: string): EquationClause | undefined {
  const [, braced, plain, operator, double, single, rest] = SENTENCE.exec(text.slice(0, 2000)) ?? [];
  const left = braced ?? plain;
  const right = double ?? single ?? rest;
  if (left === undefined || operator === undefined) return undefined;
  return { left, operator, ...(right === undefined ? {} : { right }) };
}

function plainClause({ left, operator, right }: EquationClause): RetellClause {
  return { left, operator, ...(right === undefined || right === null ? {} : { right: String(right) }) };
}

function putClauses(clauses: readonly EquationClause[], original: unknown): unknown[] {
  const before: readonly unknown[] = Array.isArray(original) ? original : [];
  const pairs = pairUp(clauses, before);
  const braces = before.length > 0 && before.every((clause) => isRecord(clause) && isBraced(clause.left));
  return clauses.map((clause, index) => putClause(clause, pairs[index], braces));
}

/** For each clause the original it goes back on: an equal one, else the one in its place when none came or went. */
function pairUp(clauses: readonly EquationClause[], before: readonly unknown[]): unknown[] {
  if (clauses.length === before.length) return [...before];
  const left = new Set(before.keys());
  return clauses.map((clause) => {
    const found = [...left].find((index) => sameJson(saidClause(getClause(before[index])), saidClause(clause)));
    if (found === undefined) return undefined;
    left.delete(found);
    return before[found];
  });
}

function putClause(clause: EquationClause, original: unknown, braces: boolean): unknown {
  const before = original === undefined ? undefined : getClause(original);
  if (before && sameJson(saidClause(before), saidClause(clause))) return original;
  const plain = plainClause(clause);
  if (typeof original === "string") {
    const right = plain.right === undefined ? "" : ` "${plain.right}"`;
    return `{{${plain.left}}} ${plain.operator}${right}`;
  }
  if (!isRecord(original)) return braces ? { ...plain, left: `{{${plain.left}}}` } : plain;
  const sameLeft = before?.left === clause.left && original.left !== undefined;
  const left = sameLeft ? original.left : isBraced(original.left) ? `{{${clause.left}}}` : clause.left;
  const right = sameJson(before?.right, clause.right ?? undefined) ? originalKey(original, "right") : rightOf(plain);
  return { ...omit(original, ["left", "operator", "right"]), left, operator: clause.operator, ...right };
}

function rightOf({ right }: RetellClause): JsonObject {
  return right === undefined ? {} : { right };
}

/** A clause without the difference between an absent right side and none. */
function saidClause({ left, operator, right }: EquationClause): JsonObject {
  return { left, operator, right: right ?? null };
}

function isBraced(value: unknown): value is string {
  return typeof value === "string" && /^\s*\{\{[^{}]*\}\}\s*$/.test(value);
}
