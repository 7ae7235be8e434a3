import type { Path } from "../../../../src/errors.ts";
import { isRecord, sameJson } from "../../../../src/values/mod.ts";
import { splitGuide } from "../prompt/mod.ts";

/** One place at which a document is not what was emitted. */
interface Change {
  readonly path: Path;
  readonly kind: "changed" | "added" | "removed";
}

/**
 * Keys that the emitter writes from the graph. If somebody adds one, the graph does not have it; any other key is a
 * setting, or added by Vapi's server, and stays in the imported document.
 */
const FROM_GRAPH = new Set([
  ...["members", "assistant", "tools", "tools:append", "functions", "assistantDestinations", "destinations"],
  ...["firstMessage", "firstMessageMode", "messages", "systemPrompt", "systemMessage", "variableValues"],
  ...["variableExtractionPlan", "rejectionPlan"],
]);

/**
 * The places at which a document differs from its graph. A value may be as it was emitted or as the graph with the edits
 * emits it: of words that stand in several places, such as a handoff's description, only one may have been edited.
 *
 * @param before What was emitted.
 * @param after What the graph with the edits emits.
 * @param now The document.
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

/** Whether a key that was added is none of those that the emitter writes, nor an object with one of them. */
function isSetting(key: string, value: unknown): boolean {
  if (FROM_GRAPH.has(key)) return false;
  return !isRecord(value) || Object.entries(value).every(([name, inner]) => isSetting(name, inner));
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isRecord(value) ? new Map(Object.entries(value)) : undefined;
}
