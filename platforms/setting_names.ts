import { isRecord, type JsonObject, omit } from "../src/base/values/mod.ts";

/** Keys without an effect on calls: names that the graph also has, and records of the importers. */
const NO_SETTINGS = new Set([
  ...["name", "metadata", "lens", "agent_name", "response_engine"],
  ...["display_position", "begin_tag_display_position", "notes", "is_start", "start"],
]);

/** Keys of a model that the graph models. */
const MODEL_KEYS = ["provider", "model", "messages", "tools", "toolIds", "systemPrompt"];

/**
 * Returns the keys of an object that are settings: `voice`, `maxDurationSeconds`; for its model and its `parts`, the keys
 * inside: `model.temperature`. Empty if nothing but the document's spelling is kept.
 *
 * @param serverKeys Keys that the platform's servers add.
 */
export function settingsIn(
  settings: JsonObject,
  serverKeys: readonly string[],
  parts: readonly string[] = [],
): readonly string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    if (isNoSetting(key, value, serverKeys)) return [];
    if (parts.includes(key) && isRecord(value)) return settingsIn(value, serverKeys);
    if (key !== "model" || !isRecord(value)) return [key];
    const isOwn = typeof value.model === "string" && value.model !== "";
    const kept = Object.keys(omit(value, MODEL_KEYS)).map((each) => `model.${each}`);
    return [...(isOwn ? ["model.model"] : []), ...kept];
  });
}

/** Whether a key is neither a setting nor kept for another reason, or its value is unset. */
export function isNoSetting(key: string, value: unknown, serverKeys: readonly string[]): boolean {
  return NO_SETTINGS.has(key) || serverKeys.includes(key) || isUnset(value);
}

/** Whether a value is unset, or a blank: the placeholder of importers for a value of the graph. */
function isUnset(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
