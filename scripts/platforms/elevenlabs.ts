import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { schemasOf } from "./read_published.ts";

/** The models that ElevenLabs' OpenAPI document lists. */
export function reduceElevenLabs(document: unknown, date: string): JsonObject {
  const { LLM: models } = schemasOf(document);
  const names = isRecord(models) && Array.isArray(models.enum) ? models.enum : [];
  if (names.length === 0) throw new TypeError("the document of ElevenLabs lists no models: components.schemas.LLM");
  return { source: "elevenlabs.openapi.json", date, tables: { models: names } };
}
