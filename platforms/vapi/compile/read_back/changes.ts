import type { Path } from "../../../../src/errors.ts";
import { isRecord, sameJson } from "../../../../src/values/mod.ts";
import { splitGuide } from "../prompt/mod.ts";

/** One place at which a document is not what was emitted. */
export interface Change {
  readonly path: Path;
  readonly kind: "changed" | "added" | "removed";
}

/**
 * Keys of what the emitter writes from the graph. Where somebody adds one, the graph does not say it; any other key is a
 * setting, or what Vapi's server adds, and stays in the imported document.
 */
const FROM_GRAPH = new Set([
  ...["members", "assistant", "tools", "tools:append", "functions", "assistantDestinations", "destinations"],
  ...["firstMessage", "firstMessageMode", "messages", "systemPrompt", "systemMessage", "variableValues"],
  ...["variableExtractionPlan", "rejectionPlan"],
]);

/**
 * The first places at which a document says something that its graph does not. A value is the graph's where it is as it
 * was emitted, or as the graph with the edits that were read emits it: of words that stand in several places, such as a
 * handoff's description, somebody may have edited only one.
 *
 * @param before What was emitted.
 * @param after What the graph with the edits emits.
 * @param now The document.
 */
export function changesOf(
  before: unknown,
  after: unknown,
  now: unknown,
  most: number,
  path: Path = [],
): readonly Change[] {
  if (sameJson(now, after) || sameJson(now, before)) return [];
  if (typeof before === "string" && typeof after === "string" && typeof now === "string")
    return isMixed(splitGuide(before), splitGuide(after), splitGuide(now)) ? [] : [{ path, kind: "changed" }];
  const [old, wanted, found] = [entriesOf(before), entriesOf(after), entriesOf(now)];
  if (!old || !wanted || !found || Array.isArray(before) !== Array.isArray(now)) return [{ path, kind: "changed" }];
  const changes: Change[] = [];
  const at = (key: string) => [...path, Array.isArray(before) ? Number(key) : key];
  for (const [key, value] of old) {
    if (!found.has(key)) changes.push({ path: at(key), kind: "removed" });
    else changes.push(...changesOf(value, wanted.get(key), found.get(key), most - changes.length, at(key)));
    if (changes.length >= most) return changes.slice(0, most);
  }
  for (const [key, value] of found)
    if (!old.has(key) && (Array.isArray(now) || !isSetting(key, value))) changes.push({ path: at(key), kind: "added" });
  return changes.slice(0, most);
}

/** Whether each part of a text is as it is in one of two others. */
function isMixed(before: readonly string[], after: readonly string[], now: readonly string[]): boolean {
  return now.every((part, index) => part === before[index] || part === after[index]);
}

/** Whether a key that was added is none of those that the emitter writes, nor an object with one of them. */
function isSetting(key: string, value: unknown): boolean {
  if (FROM_GRAPH.has(key)) return false;
  return !isRecord(value) || Object.entries(value).every(([name, inner]) => isSetting(name, inner));
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isRecord(value) ? new Map(Object.entries(value)) : undefined;
}
