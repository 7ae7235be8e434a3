import { bareName } from "../../../src/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { isText } from "../shared/mod.ts";

/** A malformed equation is read as one that is never true. */
const NEVER: EquationClause = { left: "", operator: "" };

const SENTENCE =
  /^\s*(?:\{\{\s*([^{}]+?)\s*\}\}|([\w.-]+))\s*(==|!=|>=|<=|>|<|contains|not_contains|exists|not_exist)\s*(?:"([^"]*)"|'([^']*)'|(\S.*?))?\s*$/;

/** Reads the condition of an edge or a go-back. */
export function readCondition(value: unknown): TransitionCondition {
  if (!isRecord(value)) return { type: "llm_prompt", value: "" };
  if (value.type !== "equation") return { type: "llm_prompt", value: isText(value.prompt) ? value.prompt : "" };
  const equations = readClauses(value);
  const operator = value.operator === "||" ? "or" : equations.length > 1 ? "and" : undefined;
  return { type: "equation", value: "", equations, ...(operator ? { logical_operator: operator } : {}) };
}

/** Whether the equations of a condition are sentences, as in some hand-written files. */
export function hasSentences(value: unknown): boolean {
  const clauses = isRecord(value) && value.type === "equation" ? value.equations : undefined;
  return Array.isArray(clauses) && clauses.length > 0 && clauses.every(isText);
}

/** Writes a condition: the inverse of {@link readCondition}. */
export function writeCondition(condition: TransitionCondition, asSentences = false): JsonObject {
  const { type, value, equations, logical_operator: operator } = condition;
  if (type !== "equation") return { type: "prompt", prompt: value };
  const clauses = (equations ?? []).map(({ left, operator, right }) => {
    const text = right == null ? undefined : String(right);
    if (asSentences) return `{{${left}}} ${operator}${text === undefined ? "" : ` "${text}"`}`;
    return { left, operator, ...(text === undefined ? {} : { right: text }) };
  });
  return { type: "equation", equations: clauses, operator: operator === "or" ? "||" : "&&" };
}

function readClauses(condition: JsonObject): EquationClause[] {
  if (Array.isArray(condition.equations)) return condition.equations.map(readClause);
  const { left_side: left = condition.left, operator, right_side: right = condition.right } = condition;
  return [readClause({ left, operator, right })];
}

function readClause(value: unknown): EquationClause {
  if (isText(value)) return readSentence(value) ?? NEVER;
  if (!isRecord(value) || !isText(value.left) || !isText(value.operator)) return NEVER;
  const { right } = value;
  const fits = isText(right) || typeof right === "number" || typeof right === "boolean";
  return { left: bareName(value.left), operator: value.operator, ...(fits ? { right } : {}) };
}

/** Reads `{{name}} == "x"`. */
function readSentence(text: string): EquationClause | undefined {
  const [, braced, plain, operator, double, single, rest] = SENTENCE.exec(text.slice(0, 2000)) ?? [];
  const left = braced ?? plain;
  const right = double ?? single ?? rest;
  if (left === undefined || operator === undefined) return undefined;
  return { left, operator, ...(right === undefined ? {} : { right }) };
}
