import { isRecord, isTexts, type JsonObject, omit, own, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import { equationWords, rightOf } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { isText } from "../shared/mod.ts";

/** Keys for the source and target of an edge; the second of each is from exports of other tools. */
const FROM = ["from", "source"];
const TO = ["to", "target"];

/** An edge of the document, with the ids of its nodes in the graph. */
export interface WorkflowEdge {
  readonly raw: JsonObject;
  readonly from: string;
  readonly to: string;
}

/** Returns the names by which an edge refers to its source and target. */
export function endNames(raw: JsonObject): readonly (string | undefined)[] {
  return [FROM, TO].map((keys) => keys.map((key) => own(raw, key)).find(isText));
}

/** Returns the edge if both of its nodes are in the document. */
export function readEnds(raw: JsonObject, byName: ReadonlyMap<string, string>): WorkflowEdge | undefined {
  const [from, to] = endNames(raw).map((name) => (name === undefined ? undefined : byName.get(name)));
  return from === undefined || to === undefined ? undefined : { raw, from, to };
}

/** Reads an edge as a transition, without its target. */
export function readEdge({ raw, from, to }: WorkflowEdge): Omit<Transition, "target_node_id"> {
  const condition = keptCondition(raw.condition);
  const settings = {
    ...omit(raw, [...FROM, ...TO, "condition", "label"]),
    ...keptEnd(raw, FROM, from),
    ...keptEnd(raw, TO, to),
    ...(condition === undefined ? {} : { condition }),
  };
  return {
    condition: readCondition(raw.condition),
    ...(isText(raw.label) ? { description: raw.label } : {}),
    ...(Object.keys(settings).length > 0 ? { metadata: { vapi: settings } } : {}),
  };
}

/** Returns an edge's reference to a node, unless it is the node's name under the current key. */
function keptEnd(raw: JsonObject, keys: readonly string[], id: string): JsonObject {
  const key = keys.find((each) => isText(own(raw, each)));
  const name = key === undefined ? id : raw[key];
  return key === undefined || (key === keys[0] && name === id) ? {} : { [key]: name === id ? "" : name };
}

/**
 * Writes an edge.
 *
 * @param nameOf Returns a node's name in the document; preferably the wanted one, which the edge used before.
 */
export function writeEdge(
  transition: Transition,
  ends: { readonly from: string; readonly to: string },
  nameOf: (id: string, wanted: unknown) => string,
): JsonObject {
  const settings = recordAt(transition.metadata ?? {}, "vapi");
  const end = (keys: readonly string[], id: string) => {
    const key = keys.find((each) => typeof own(settings, each) === "string") ?? keys[0] ?? "";
    return [key, nameOf(id, own(settings, key))] as const;
  };
  const condition = writeCondition(transition.condition, settings.condition);
  return {
    ...omit(settings, ["condition"]),
    ...Object.fromEntries([end(FROM, ends.from), end(TO, ends.to)]),
    ...(condition === undefined ? {} : { condition }),
    ...(transition.description ? { label: transition.description } : {}),
  };
}

/** Keys of a condition's text in all generations; the first that is present counts. */
const TEXT_KEYS = ["prompt", "liquid", "booleanExpression", "expression", "description", "condition"];
/** Types of conditions that always hold if they have no text. */
const PLAIN_TYPES = ["undefined", "ai", "semantic", "logic", "programmatic", "default"];
/** Separator of an edge's `matches` in the graph. */
const SEPARATOR = "; ";
const ALWAYS: TransitionCondition = { type: "always", value: "" };

/**
 * Reads the condition of an edge. A missing or empty condition is `always`. Liquid that only compares variables is an
 * equation, under any key. `failed` is the outcome of the source node's tool.
 */
function readCondition(raw: unknown): TransitionCondition {
  if (typeof raw === "string") return readText(raw, false);
  if (!isRecord(raw)) return ALWAYS;
  if (raw.type === "failed") return { type: "tool_call", value: "", outcome: "failed" };
  const matches = matchesOf(raw);
  if (matches) return matches.length > 0 ? { type: "llm_prompt", value: matches.join(SEPARATOR) } : ALWAYS;
  const key = textKey(raw);
  const text = key === undefined ? "" : String(raw[key]);
  if (text.trim() !== "") return readText(text, isLogic(raw));
  return PLAIN_TYPES.includes(String(raw.type)) ? ALWAYS : { type: "llm_prompt", value: String(raw.type) };
}

/**
 * Returns the JSON that an edge keeps of its condition, with a blank for the prompt, which several keys can contain.
 * Liquid is kept, so that an edited equation is written in the same braces. `undefined` for a condition in the newest
 * form.
 */
function keptCondition(raw: unknown): unknown {
  const condition = readCondition(raw);
  if (sameJson(raw, writeCondition(condition, undefined))) return undefined;
  if (condition.type !== "llm_prompt") return raw;
  if (!isRecord(raw)) return "";
  if (matchesOf(raw)) return { ...raw, matches: [] };
  const key = textKey(raw);
  return key === undefined ? raw : { ...raw, [key]: "" };
}

/** @returns `undefined` if the edge needs no condition. */
function writeCondition(condition: TransitionCondition, kept: unknown): unknown {
  const { type, value } = condition;
  if (type === "tool_call" && condition.outcome !== "failed") return undefined;
  if (kept !== undefined && sameJson(readCondition(kept), condition)) return kept;
  if (type === "always") return isRecord(kept) ? emptied(kept) : undefined;
  if (type === "tool_call") return { type: "failed" };
  const textFor = (before: unknown, logic = false) =>
    type === "llm_prompt" ? value : liquid(String(before ?? ""), logic, condition);
  if (typeof kept === "string") return textFor(kept);
  const isWords = type === "equation" && !fitsLiquid(condition);
  if (isWords || !isRecord(kept) || kept.type === "failed")
    return isWords || type === "llm_prompt"
      ? { type: "ai", prompt: textFor("") }
      : { type: "logic", liquid: textFor("") };
  if (matchesOf(kept)) return { ...kept, matches: textFor("").split(SEPARATOR) };
  const key = textKey(kept) ?? "prompt";
  return { ...kept, [key]: textFor(kept[key], isLogic(kept)) };
}

function isLogic(raw: JsonObject): boolean {
  return raw.type === "logic" || raw.type === "programmatic" || raw.liquid !== undefined;
}

function matchesOf({ matches }: JsonObject): readonly string[] | undefined {
  return isTexts(matches) ? matches : undefined;
}

function textKey(raw: JsonObject): string | undefined {
  return TEXT_KEYS.find((key) => typeof raw[key] === "string");
}

function readText(text: string, logic: boolean): TransitionCondition {
  if (text.trim() === "") return ALWAYS;
  return readLiquid(text, logic)?.condition ?? { type: "llm_prompt", value: text };
}

/** Writes an equation as Liquid, in the braces of the previous text; in words where Liquid cannot compare. */
function liquid(before: string, logic: boolean, condition: TransitionCondition): string {
  if (!fitsLiquid(condition)) return equationWords(condition);
  const found = readLiquid(before, logic);
  return `${found?.before ?? "{{ "}${writeExpression(condition)}${found?.after ?? " }}"}`;
}

function emptied(raw: JsonObject): JsonObject {
  const key = textKey(raw);
  return key === undefined ? omit(raw, ["matches"]) : { ...raw, [key]: "" };
}

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
function readLiquid(text: string, bare = false): LiquidCondition | undefined {
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
function writeExpression({ equations, logical_operator }: TransitionCondition): string {
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
