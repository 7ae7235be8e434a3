import { isRecord, type JsonObject, own } from "../src/base/values/mod.ts";
import { type FieldKinds, PLATFORM_DATA, type PlatformData } from "../src/document/platforms/mod.ts";

const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";

function hasKind(value: unknown, kind: FieldKinds[string]): boolean {
  switch (kind) {
    case "text":
      return isText(value);
    case "number":
      return isNumber(value);
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every(isText);
    case "point":
      return isRecord(value) && Object.keys(value).length === 2 && isNumber(value.x) && isNumber(value.y);
    default:
      return kind.some((text) => text === value);
  }
}

/**
 * The fields of an imported document that have the types that the platform publishes, so that code can set them as
 * options; for transitions and tools, for which there are no types, all.
 */
export function typedFields(platform: string, at: "flow" | "node" | "edge" | "tool", fields: unknown): JsonObject {
  if (!isRecord(fields)) return {};
  if (at === "edge" || at === "tool") return fields;
  const kinds = own<PlatformData>(PLATFORM_DATA, platform)?.keys.typed[at] ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => {
      const kind = own(kinds, key);
      return kind !== undefined && hasKind(value, kind);
    }),
  );
}
