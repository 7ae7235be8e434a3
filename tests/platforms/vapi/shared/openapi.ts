import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { isRecord } from "../../../../src/base/values/mod.ts";
import { PUBLISHED_SCHEMAS } from "../../published_schemas.ts";

const FILE = fileURLToPath(new URL("../../../../../shared/platforms/vapi.openapi.json", import.meta.url));

/** Validates documents against Vapi's published schemas; `undefined` if the file is not available. */
export function openapiFaults(schema: string): ((document: unknown) => readonly string[]) | undefined {
  if (!existsSync(FILE)) return undefined;
  const published: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  const ajv = new Ajv(PUBLISHED_SCHEMAS);
  ajv.addSchema({ components: isRecord(published) ? mended(published.components) : {} }, "vapi");
  const validate = ajv.getSchema(`vapi#/components/schemas/${schema}`);
  if (!validate) throw new TypeError(`there is no schema ${schema}`);
  return (document) => {
    if (validate(document)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** Corrects errors of the published document: patterns between slashes, empty enums, misplaced enums, overlaps. */
function mended(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(mended);
  if (!isRecord(schema)) return schema;
  const { discriminator: _, oneOf, ...rest } = schema;
  const entries = Object.entries({ ...rest, ...(oneOf ? { anyOf: oneOf } : {}) }).flatMap(([key, value]) => {
    if (key === "enum" && Array.isArray(value) && (value.length === 0 || schema.type === "array")) return [];
    if (key === "pattern" && typeof value === "string") return [[key, value.replace(/^\/(.*)\/$/, "$1")]];
    return [[key, mended(value)]];
  });
  return Object.fromEntries(entries);
}
