import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { convertJsonSchema, droppedKeywords } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";

/**
 * A JSON Schema in the part of the language that Vapi takes (`JsonSchema`). Other keywords are left out and reported.
 *
 * @param path Where the schema is in the graph.
 */
export function emitSchema(schema: unknown, path: Path, losses: LossList): Vapi.JsonSchema {
  const { schema: emitted, dropped } = convertJsonSchema(isRecord(schema) ? schema : {});
  if (dropped.length > 0) {
    const { message, instead, hint } = droppedKeywords(dropped);
    losses.dropped("schema-keyword", path, message, instead, hint);
  }
  return emitted as unknown as Vapi.JsonSchema; // its type and format are those of Vapi's document
}

/** The arguments of a function: always an object with properties. */
export function emitParameters(schema: unknown, path: Path, losses: LossList): Vapi.OpenAiFunctionParameters {
  const { properties, required } = emitSchema(schema, path, losses);
  return { type: "object", properties: properties ?? {}, ...(required?.length ? { required } : {}) };
}
