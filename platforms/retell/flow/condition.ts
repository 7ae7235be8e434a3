import { bareName } from "../../../src/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";

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

/** Whether the equations of a condition are sentences, as some files that were written by hand have them. */
export function hasTexts(value: unknown): boolean {
  const clauses = isRecord(value) && value.type === "equation" ? value.equations : undefined;
  return Array.isArray(clauses) && clauses.length > 0 && clauses.every((clause) => typeof clause === "string");
}

/** Writes a condition with its equations as sentences. */
export function textCondition(condition: TransitionCondition): JsonObject {
  const plain = plainCondition(condition);
  if (plain.type === "prompt") return plain;
  const texts = plain.equations.map(({ left, operator, right }) =>
    right === undefined ? `{{${left}}} ${operator}` : `{{${left}}} ${operator} "${right}"`,
  );
  return { ...plain, equations: texts };
}

/** Writes a condition as Retell has it. */
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
