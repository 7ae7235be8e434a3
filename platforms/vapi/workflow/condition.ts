import type { TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { type LiquidCondition, readLiquid, writeExpression } from "./liquid_condition.ts";

/** Where the text of a condition stands, by what has been written in four years: the first that is there counts. */
const TEXT_KEYS = ["prompt", "liquid", "booleanExpression", "expression", "description", "condition"];

/** Stands between the matches of one edge. */
const SEPARATOR = "; ";

/**
 * An edge's condition in the graph's words. None, or an empty one, is `always`; Liquid that only compares variables is an
 * equation, wherever it stands; `failed` is the outcome of the tool that the edge comes from.
 */
export function readCondition(raw: unknown): TransitionCondition {
  if (typeof raw === "string") return readText(raw, false);
  if (!isRecord(raw)) return { type: "always", value: "" };
  if (raw.type === "failed") return { type: "tool_call", value: "", outcome: "failed" };
  const matches = matchesOf(raw);
  if (matches) return matches.length > 0 ? { type: "llm_prompt", value: matches.join(SEPARATOR) } : always();
  const key = textKey(raw);
  const text = key === undefined ? "" : String(raw[key]);
  if (text.trim() !== "") return readText(text, isLogic(raw));
  const known =
    raw.type === undefined || ["ai", "semantic", "logic", "programmatic", "default"].includes(String(raw.type));
  return known ? always() : { type: "llm_prompt", value: String(raw.type) };
}

/**
 * Puts a condition back where it was read. What says the same as before is left as it was written.
 *
 * @returns `undefined` for no condition at all.
 */
export function writeCondition(condition: TransitionCondition, raw: unknown): unknown {
  if (raw !== undefined && sameJson(readCondition(raw), condition)) return raw;
  if (condition.type === "always") return isRecord(raw) ? emptied(raw) : undefined;
  if (condition.type === "tool_call") return condition.outcome === "failed" ? { type: "failed" } : undefined;
  const text = condition.type === "llm_prompt" ? condition.value : undefined;
  if (typeof raw === "string") return text ?? rewrap(raw, false, condition);
  if (!isRecord(raw) || raw.type === "failed") {
    return text === undefined ? { type: "logic", liquid: rewrap("", false, condition) } : { type: "ai", prompt: text };
  }
  const matches = matchesOf(raw);
  if (matches) return { ...raw, matches: writeMatches(text ?? rewrap("", false, condition), matches) };
  const key = textKey(raw) ?? "prompt";
  return { ...raw, [key]: text ?? rewrap(String(raw[key] ?? ""), isLogic(raw), condition) };
}

const always = (): TransitionCondition => ({ type: "always", value: "" });

function isLogic(raw: JsonObject): boolean {
  return raw.type === "logic" || raw.type === "programmatic" || raw.liquid !== undefined;
}

function matchesOf(raw: JsonObject): readonly string[] | undefined {
  const { matches } = raw;
  return Array.isArray(matches) && matches.every((match) => typeof match === "string") ? matches : undefined;
}

/** One match per part, so that an edit of one leaves the others. A match that holds the separator looks like two. */
function writeMatches(text: string, before: readonly string[]): readonly string[] {
  return before.some((match) => match.includes(SEPARATOR)) ? [text] : text.split(SEPARATOR);
}

function textKey(raw: JsonObject): string | undefined {
  return TEXT_KEYS.find((key) => typeof raw[key] === "string");
}

function readText(text: string, logic: boolean): TransitionCondition {
  if (text.trim() === "") return always();
  return readLiquid(text, logic)?.condition ?? { type: "llm_prompt", value: text };
}

/** An equation as Liquid, in the braces in which the one before it stood. */
function rewrap(text: string, logic: boolean, condition: TransitionCondition): string {
  const found: LiquidCondition | undefined = readLiquid(text, logic);
  return `${found?.before ?? "{{ "}${writeExpression(condition)}${found?.after ?? " }}"}`;
}

function emptied(raw: JsonObject): JsonObject {
  const key = textKey(raw);
  return key === undefined ? omit(raw, ["matches"]) : { ...raw, [key]: "" };
}
