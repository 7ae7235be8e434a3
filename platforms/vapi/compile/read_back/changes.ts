import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, sameJson } from "../../../../src/base/values/mod.ts";
import { splitGuide } from "../prompt/mod.ts";

/** A difference between a document and the emitted one. */
interface Change {
  readonly path: Path;
  readonly kind: "changed" | "added" | "removed";
}

/**
 * Keys that the emitter writes from the graph. An added one is a change that the graph does not have. Any other added
 * key is a setting, or from Vapi's server, and is kept in the imported document.
 */
const FROM_GRAPH = new Set([
  ...["members", "assistant", "tools", "tools:append", "functions", "assistantDestinations", "destinations"],
  ...["firstMessage", "firstMessageMode", "messages", "systemPrompt", "systemMessage", "variableValues"],
  ...["variableExtractionPlan", "rejectionPlan"],
]);

/**
 * Returns the differences between a document and its graph. A value may match the graph with or without the edits: if a
 * text has several places, such as a handoff's description, only one may have been edited.
 *
 * @param before The emitted document of the original graph.
 * @param after The emitted document of the graph with the edits.
 * @param now The imported document.
 */
export function changesOf(before: unknown, after: unknown, now: unknown, path: Path = []): readonly Change[] {
  if (sameJson(now, after) || sameJson(now, before)) return [];
  const changed: readonly Change[] = [{ path, kind: "changed" }];
  if (typeof before === "string" && typeof after === "string" && typeof now === "string") {
    const [old, wanted] = [splitGuide(before), splitGuide(after)];
    return splitGuide(now).every((part, index) => part === old[index] || part === wanted[index]) ? [] : changed;
  }
  const [old, wanted, found] = [entriesOf(before), entriesOf(after), entriesOf(now)];
  if (!old || !wanted || !found || Array.isArray(before) !== Array.isArray(now)) return changed;
  const at = (key: string) => [...path, Array.isArray(before) ? Number(key) : key];
  const others = [...found].filter(([key, value]) => !old.has(key) && (Array.isArray(now) || !isSetting(key, value)));
  return [
    ...[...old].flatMap(([key, value]): readonly Change[] =>
      found.has(key)
        ? changesOf(value, wanted.get(key), found.get(key), at(key))
        : [{ path: at(key), kind: "removed" }],
    ),
    ...others.map(([key]): Change => ({ path: at(key), kind: "added" })),
  ];
}

/** Whether an added key is a setting: neither a key that the emitter writes, nor an object that contains one. */
function isSetting(key: string, value: unknown): boolean {
  if (FROM_GRAPH.has(key)) return false;
  return !isRecord(value) || Object.entries(value).every(([name, inner]) => isSetting(name, inner));
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isRecord(value) ? new Map(Object.entries(value)) : undefined;
}
