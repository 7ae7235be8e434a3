import { isRecord, isTexts, type JsonObject, omit, sameJson } from "../../../src/base/values/mod.ts";
import { equationWords } from "../../../src/document/expressions/mod.ts";
import type { TransitionCondition } from "../../../src/document/graph/mod.ts";
import { fitsLiquid, readLiquid, writeExpression } from "./liquid_condition.ts";

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
export function readCondition(raw: unknown): TransitionCondition {
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
export function keptCondition(raw: unknown): unknown {
  const condition = readCondition(raw);
  if (sameJson(raw, writeCondition(condition, undefined))) return undefined;
  if (condition.type !== "llm_prompt") return raw;
  if (!isRecord(raw)) return "";
  if (matchesOf(raw)) return { ...raw, matches: [] };
  const key = textKey(raw);
  return key === undefined ? raw : { ...raw, [key]: "" };
}

/** @returns `undefined` if the edge needs no condition. */
export function writeCondition(condition: TransitionCondition, kept: unknown): unknown {
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
