import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { bareName } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { isString, retellTables } from "../shared/mod.ts";
import type { FlowContext } from "./emit_context.ts";

/** Replaces a malformed equation: it is never true. */
const NEVER: EquationClause = { left: "", operator: "" };

const SENTENCE =
  /^\s*(?:\{\{\s*([^{}]+?)\s*\}\}|([\w.-]+))\s*(==|!=|>=|<=|>|<|contains|not_contains|exists|not_exist)\s*(?:"([^"]*)"|'([^']*)'|(\S.*?))?\s*$/;

/** Reads the condition of an edge or a go-back. */
export function readRetellCondition(value: unknown): TransitionCondition {
  if (!isRecord(value)) return { type: "llm_prompt", value: "" };
  if (value.type !== "equation") return { type: "llm_prompt", value: isString(value.prompt) ? value.prompt : "" };
  const equations = readClauses(value);
  const operator = value.operator === "||" ? "or" : equations.length > 1 ? "and" : undefined;
  return { type: "equation", value: "", equations, ...(operator ? { logical_operator: operator } : {}) };
}

/** Whether the equations of a condition are texts, as in some hand-written files. */
export function hasSentences(value: unknown): boolean {
  const clauses = isRecord(value) && value.type === "equation" ? value.equations : undefined;
  return Array.isArray(clauses) && clauses.length > 0 && clauses.every(isString);
}

/** Writes a condition: the inverse of {@link readRetellCondition}. */
export function writeRetellCondition(condition: TransitionCondition, asSentences = false): JsonObject {
  const { type, value, equations, logical_operator: operator } = condition;
  if (type !== "equation") return { type: "prompt", prompt: value };
  const clauses = (equations ?? []).map(({ left, operator, right }) => {
    if (asSentences) return `{{${left}}} ${operator}${right == null ? "" : ` "${right}"`}`;
    return { left, operator, ...(right == null ? {} : { right: String(right) }) };
  });
  return { type: "equation", equations: clauses, operator: operator === "or" ? "||" : "&&" };
}

/** Converts a condition on a tool's outcome to an LLM condition. */
export function inWords({ value, outcome }: TransitionCondition): TransitionCondition {
  const tool = value === "" ? "The function" : `The function "${value}"`;
  return { type: "llm_prompt", value: `${tool} was called${outcome ? ` and ${outcome}` : ""}` };
}

/**
 * Removes equations with an operator that Retell does not support; `undefined` if the condition can then never be true.
 */
export function heldCondition(
  condition: TransitionCondition,
  path: Path,
  { foreign, losses }: FlowContext,
): TransitionCondition | undefined {
  if (!foreign || condition.type !== "equation") return condition;
  const all = condition.equations ?? [];
  const equations = all.filter(({ operator }) => retellTables().operators.includes(operator));
  for (const clause of all) {
    const text = [clause.left, clause.operator, clause.right].filter((side) => side != null).join(" ");
    const message = `Retell does not support the operator "${clause.operator}", and an equation with it is never true: ${text}`;
    const instead = "the other equations, if they are joined by or";
    if (!equations.includes(clause)) losses.add("operator", path, message, instead);
  }
  const holds = equations.length === all.length || (condition.logical_operator === "or" && equations.length > 0);
  return holds ? { ...condition, equations } : undefined;
}

function readClauses(condition: JsonObject): EquationClause[] {
  if (Array.isArray(condition.equations)) return condition.equations.map(readClause);
  const { left_side: left = condition.left, operator, right_side: right = condition.right } = condition;
  return [readClause({ left, operator, right })];
}

function readClause(value: unknown): EquationClause {
  if (isString(value)) return readSentence(value) ?? NEVER;
  if (!isRecord(value) || !isString(value.left) || !isString(value.operator)) return NEVER;
  const { right } = value;
  const fits = isString(right) || typeof right === "number" || typeof right === "boolean";
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
