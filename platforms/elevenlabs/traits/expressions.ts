import { isRecord, isWithin, type JsonObject, mergeJson, own, records } from "../../../src/base/values/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../src/document/graph/mod.ts";

/** Types of comparisons in a tree, by the operators of equations. */
const COMPARISONS: { readonly [operator: string]: string } = {
  "==": "eq_operator",
  "!=": "neq_operator",
  ">": "gt_operator",
  ">=": "gte_operator",
  "<": "lt_operator",
  "<=": "lte_operator",
};

const operatorOf = (type: unknown) => Object.keys(COMPARISONS).find((operator) => COMPARISONS[operator] === type);

/** Label of an edge that several transitions share, so that they are read as several again. */
export const MERGED = "Any of these";

/** A condition of an edge, as one transition has it. */
export interface ReadCondition {
  readonly condition: TransitionCondition;
  /** The expression; a graph may have its words only. */
  readonly tree?: unknown;
}

/** Reads a condition of an edge. A list of alternatives that the model judges is one transition each. */
export function readCondition(value: unknown): readonly ReadCondition[] {
  if (typeof value === "string") return [{ condition: { type: "llm_prompt", value } }];
  if (!isRecord(value)) return [{ condition: { type: "always", value: "" } }];
  const { type, condition, successful, expression, label } = value;
  if (type === "llm")
    return [{ condition: { type: "llm_prompt", value: typeof condition === "string" ? condition : "" } }];
  if (type === "result")
    return [{ condition: { type: "tool_call", value: "", outcome: successful === false ? "failed" : "succeeded" } }];
  if (type !== "expression") return [{ condition: { type: "always", value: "" } }];
  const children = isRecord(expression) && expression.type === "or_operator" ? records(expression.children) : [];
  const isMerged = label === MERGED || children.some((child) => questionOf(child) !== undefined);
  return isMerged && children.length > 1 ? children.map(readTree) : [readTree(expression)];
}

function readTree(given: unknown): ReadCondition {
  return { condition: readPlain(simplified(given)), tree: given };
}

/** A tree without joints of one part, and without joints inside of the same joint. */
function simplified(tree: unknown): unknown {
  if (!isRecord(tree) || !Array.isArray(tree.children)) return tree;
  if (tree.type !== "and_operator" && tree.type !== "or_operator") return tree;
  const parts = tree.children.map(simplified);
  if (parts.length === 1) return parts[0];
  const children = parts.flatMap((part): readonly unknown[] =>
    isRecord(part) && part.type === tree.type && Array.isArray(part.children) ? part.children : [part],
  );
  return { ...tree, children };
}

function readPlain(tree: unknown): TransitionCondition {
  const question = questionOf(tree);
  const read: TransitionCondition | undefined =
    question !== undefined
      ? { type: "llm_prompt", value: question }
      : isRecord(tree) && tree.type === "boolean_literal" && tree.value === true
        ? { type: "always", value: "" }
        : equationOf(tree);
  // an expression is read only if it would be written as it is; unknown keys may be added
  if (read && isWithin(writeTree(read).tree, tree)) return read;
  return { type: "llm_prompt", value: wordsOf(tree) };
}

/** The question that the model answers with yes or no. */
function questionOf(tree: unknown): string | undefined {
  if (!isRecord(tree) || tree.type !== "llm") return undefined;
  const { value_schema: schema } = tree;
  return isRecord(schema) && schema.type === "boolean" && typeof schema.description === "string"
    ? schema.description
    : undefined;
}

function equationOf(tree: unknown): TransitionCondition | undefined {
  if (!isRecord(tree)) return undefined;
  if (tree.type !== "and_operator" && tree.type !== "or_operator") {
    const clause = clauseOf(tree);
    return clause && { type: "equation", value: "", equations: [clause] };
  }
  const clauses = records(tree.children).map(clauseOf);
  const equations = clauses.filter((clause) => clause !== undefined);
  if (equations.length < 2 || equations.length < clauses.length) return undefined;
  return { type: "equation", value: "", equations, logical_operator: tree.type === "or_operator" ? "or" : "and" };
}

function clauseOf({ type, left, right }: JsonObject): EquationClause | undefined {
  const operator = operatorOf(type);
  if (operator === undefined || !isRecord(left) || !isRecord(right) || left.type !== "dynamic_variable")
    return undefined;
  if (typeof left.name !== "string") return undefined;
  if (right.type === "null_literal") {
    if (operator !== "==" && operator !== "!=") return undefined;
    return { left: left.name, operator: operator === "==" ? "not_exist" : "exists" };
  }
  const { value } = right;
  const text = right.type === "dynamic_variable" ? `{{${String(right.name)}}}` : value;
  const isValue = typeof text === "string" || typeof text === "number" || typeof text === "boolean";
  return isValue ? { left: left.name, operator, right: text } : undefined;
}

/** An expression, and the clauses that it has in words or not at all. */
export interface WrittenTree {
  readonly tree: JsonObject;
  readonly inWords: readonly EquationClause[];
  readonly never: readonly EquationClause[];
}

const question = (description: string): JsonObject => ({ type: "llm", value_schema: { type: "boolean", description } });

/** The type of a variable's values, where it is known. */
export type TypeOfVariable = (name: string) => "string" | "number" | "boolean" | undefined;

/**
 * Writes a condition as an expression. Values of graphs are texts, and those of ElevenLabs have types, so that a text
 * never equals a number: a value is written with the type of its variable. Where that is not known, a text that is a
 * number is written as one.
 *
 * @param typeOf Types of variables. Default: the graph is from ElevenLabs, and its values have their types.
 */
export function writeTree(
  { type, value, equations, logical_operator: joint, outcome }: TransitionCondition,
  typeOf?: TypeOfVariable,
): WrittenTree {
  const none = { inWords: [], never: [] };
  if (type === "always") return { tree: { type: "boolean_literal", value: true }, ...none };
  if (type === "llm_prompt") return { tree: question(value || "True"), ...none };
  if (type === "tool_call") return { tree: question(outcomeWords(value, outcome)), ...none };
  const clauses = equations ?? [];
  const isKnown = (clause: EquationClause) =>
    OTHER.includes(clause.operator) || Object.hasOwn(COMPARISONS, clause.operator);
  const never = clauses.filter((clause) => !isKnown(clause));
  const all = clauses.map((clause) => ({ clause, tree: isKnown(clause) ? treeOf(clause, typeOf) : FALSE }));
  const inWords = all.filter(({ tree }) => tree.type === "llm").map(({ clause }) => clause);
  const children = all.map(({ tree }) => tree);
  const [only = FALSE] = children;
  const tree = children.length < 2 ? only : { type: joint === "or" ? "or_operator" : "and_operator", children };
  return { tree, inWords, never };
}

const OTHER = ["contains", "not_contains", "exists", "not_exist"];
const FALSE: JsonObject = { type: "boolean_literal", value: false };

/** The only part of a joint, however deep; `undefined` for a tree that is none or has several parts. */
function onlyPart(tree: JsonObject): JsonObject | undefined {
  if (tree.type !== "and_operator" && tree.type !== "or_operator") return undefined;
  const parts = Array.isArray(tree.children) ? tree.children : [];
  return parts.length === 1 && isRecord(parts[0]) ? parts[0] : undefined;
}

/** Whether a tree is one question to the model, which joints of one part may stand around. */
export function isQuestion(tree: unknown): boolean {
  if (!isRecord(tree)) return false;
  const part = onlyPart(tree);
  return part ? isQuestion(part) : questionOf(tree) !== undefined || isPrompt(tree);
}

/** The older spelling of a question. */
const isPrompt = ({ type, prompt, value_schema: schema }: JsonObject) =>
  type === "llm" && typeof prompt === "string" && schema == null;

/** Puts an edited part where it stood in the tree before: in its joints, and a question into its own spelling. */
export function editedTree(before: unknown, tree: JsonObject): JsonObject {
  if (!isRecord(before)) return tree;
  const part = onlyPart(before);
  if (part) return { ...before, children: [editedTree(part, tree)] };
  const asked = questionOf(tree);
  if (asked === undefined) return tree;
  if (isPrompt(before)) return { ...before, prompt: asked };
  return questionOf(before) === undefined ? tree : mergeJson(before, tree);
}

/** A condition on a tool's outcome, in words. */
export function outcomeWords(tool: string, outcome: string | null | undefined): string {
  return `${tool === "" ? "The tool" : `The tool "${tool}"`} was called${outcome ? ` and ${outcome}` : ""}`;
}

function treeOf({ left, operator, right }: EquationClause, typeOf: TypeOfVariable | undefined): JsonObject {
  const variable = { type: "dynamic_variable", name: left };
  if (operator === "exists" || operator === "not_exist")
    return {
      type: operator === "exists" ? "neq_operator" : "eq_operator",
      left: variable,
      right: { type: "null_literal" },
    };
  const value = right ?? "";
  const [, name] = (typeof value === "string" && /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(value)) || [];
  const isTemplate = name === undefined && typeof value === "string" && /\{\{[^{}]+\}\}/.test(value);
  const type = COMPARISONS[operator];
  if (type === undefined || isTemplate)
    return question(`{{${left}}} ${WORDS[operator] ?? operator} "${String(value)}"`);
  const isOrdered = operator !== "==" && operator !== "!=";
  const literal = typeOf ? literalOf(value, isOrdered ? "number" : typeOf(left)) : nativeLiteral(value, isOrdered);
  const side = name === undefined ? literal : { type: "dynamic_variable", name };
  return { type, left: variable, right: side };
}

const WORDS: { readonly [operator: string]: string } = {
  contains: "contains",
  not_contains: "does not contain",
  "==": "is",
  "!=": "is not",
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
};

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const isNumber = (value: string) => NUMBER.test(value) && String(Number(value)) === value;

/** A value as a variable of a type has it. */
function literalOf(value: string | number | boolean, type: ReturnType<TypeOfVariable>): JsonObject {
  const text = String(value);
  if (type !== "string" && isNumber(text)) return { type: "number_literal", value: Number(text) };
  if (type !== "string" && (text === "true" || text === "false"))
    return { type: "boolean_literal", value: text === "true" };
  return typeof value === "number" && type !== "string"
    ? { type: "number_literal", value }
    : { type: "string_literal", value: text };
}

/** A value of a graph from ElevenLabs. Only numbers are in order. */
function nativeLiteral(value: string | number | boolean, isOrdered: boolean): JsonObject {
  if (typeof value === "number") return { type: "number_literal", value };
  if (typeof value === "boolean") return { type: "boolean_literal", value };
  return isOrdered && isNumber(value)
    ? { type: "number_literal", value: Number(value) }
    : { type: "string_literal", value };
}

/** How the other operators of a tree are said. */
const SIGNS: { readonly [type: string]: string } = {
  ...{ add_operator: "+", sub_operator: "-", mul_operator: "*", div_operator: "/" },
  ...{ and_operator: "and", or_operator: "or" },
};

/** An expression in words, for a model that judges it in a test. */
function wordsOf(tree: unknown): string {
  if (!isRecord(tree)) return "True";
  const { type, left, right, children, name, value, prompt } = tree;
  const said = WORDS[operatorOf(type) ?? ""] ?? own(SIGNS, String(type));
  const sides = Array.isArray(children) ? children : [left, right];
  if (said !== undefined) return sides.map((side) => `(${wordsOf(side)})`).join(` ${said} `);
  if (type === "dynamic_variable") return `{{${String(name)}}}`;
  if (type === "llm") return questionOf(tree) ?? String(prompt ?? "the model says so");
  return value === undefined ? JSON.stringify(tree) : JSON.stringify(value);
}
