import { isRecord, type JsonObject, own } from "../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../src/document/graph/mod.ts";
import type { PlatformTraits, RequestPart, RequestWriter } from "../facts.ts";
import { ALL_TRAITS } from "./all_traits.ts";

/** Types of tools that make a request, by their names on every platform. A tool without a type makes one, too. */
const REQUEST_TYPES = Object.values(ALL_TRAITS).flatMap(({ requests }) => requests.toolTypes);

/** A part of a request that a platform can write, and where it comes from. */
interface CarriedPart {
  readonly owner: string;
  readonly setting: string;
  readonly written: JsonObject;
}

/**
 * Finds the request of a tool in the settings that other platforms have of it.
 *
 * @param target The platform that is written.
 * @param write Its settings for each part; `undefined` for a part that it cannot have.
 */
export function carriedRequest(tool: ToolDefinition, target: string, write: RequestWriter): readonly CarriedPart[] {
  if (!tool.url || !(tool.type == null || REQUEST_TYPES.includes(tool.type))) return [];
  return Object.entries(tool.metadata ?? {}).flatMap(([owner, settings]) => {
    const traits = own<PlatformTraits>(ALL_TRAITS, owner);
    if (owner === target || !traits || !isRecord(settings)) return [];
    return traits.requests.read(settings).flatMap((part): readonly CarriedPart[] => {
      const written = writtenPart(part, write);
      return written ? [{ owner, setting: part.setting, written }] : [];
    });
  });
}

function writtenPart(part: RequestPart, write: RequestWriter): JsonObject | undefined {
  switch (part.kind) {
    case "method":
      return write.method(part.value);
    case "timeoutMs":
      return write.timeoutMs(part.value);
    case "headers":
      return write.headers(part.value);
  }
}

/** Merges the parts of a request. The first of each setting counts. */
export function requestSettings(parts: readonly CarriedPart[]): JsonObject {
  return Object.assign({}, ...parts.map(({ written }) => written).toReversed());
}
