import { isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";

/** Key of the settings in metadata: `metadata.elevenlabs`. */
export const OWNER = "elevenlabs";

/** The settings of a tool, node or transition, without the records of the importer. */
export function settingsOf(metadata: unknown): JsonObject {
  return omit(recordAt(isRecord(metadata) ? metadata : {}, OWNER), ["lens"]);
}

/** The records of the importer. */
export function lensOf(metadata: unknown): JsonObject {
  return recordAt(recordAt(isRecord(metadata) ? metadata : {}, OWNER), "lens");
}

/** An object under a key; nothing for an empty one. */
export function filled(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length > 0 ? { [key]: value } : {};
}
