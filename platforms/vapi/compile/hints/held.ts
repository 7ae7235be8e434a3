import { isRecord, type JsonObject, omit, own } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import type { VapiTool } from "../common/mod.ts";
import { GROWING } from "../settings/mod.ts";
import { requestHint, URL_VARIABLE } from "../tools/mod.ts";

/**
 * Converts a tool for an assistant's metadata. The metadata is sent wherever Vapi sends the assistant, so URLs, headers
 * and other content of the emitted tool are not repeated.
 *
 * @param emitted The assistant's emitted tools.
 * @param index Index of the tool that was emitted for it.
 */
export function hintOfTool(tool: ToolDefinition, emitted: readonly VapiTool[], index: number | undefined): JsonObject {
  const raw = tool.metadata?.vapi;
  const plain = { ...omit({ ...tool }, ["metadata"]), ...(isRecord(raw) ? {} : requestHint(tool)) };
  if (!isRecord(raw) && !tool.url) return plain;
  if (isRecord(raw) && typeof raw.toolId === "string") return { ...plain, metadata: { vapi: { toolId: raw.toolId } } };
  if (index === undefined) return plain;
  const isShared = typeof tool.url === "string" && urlOf(emitted[index]) === tool.url;
  return {
    ...(isShared ? { ...omit(plain, ["url"]), url: true } : plain),
    emitted: index,
    ...(isRecord(raw) ? { raw: true } : {}),
  };
}

/** Restores a tool from {@link hintOfTool} and the assistant's tools. */
export function toolOfHint(hint: JsonObject, emitted: readonly unknown[]): JsonObject {
  const { emitted: index, raw, url, ...plain } = hint;
  const tool = typeof index === "number" ? emitted[index] : undefined;
  const found = url === true ? urlOf(tool) : url;
  return {
    ...plain,
    ...(found === undefined ? {} : { url: found }),
    ...(raw === true && isRecord(tool) ? { metadata: { vapi: tool } } : {}),
  };
}

function urlOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return undefined;
  const server = isRecord(tool.server) ? tool.server.url : undefined;
  const variables: readonly unknown[] = Array.isArray(tool.environmentVariables) ? tool.environmentVariables : [];
  const [called] = variables.filter(isRecord).filter(({ name }) => name === URL_VARIABLE);
  return [tool.url, server, called?.value].find((url) => typeof url === "string");
}

/**
 * Returns the places of an author's settings without their values: the length of an appended list, and `true` for any
 * other value.
 */
export function shapeOf(extras: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(extras).map(([key, value]) => {
      if (isRecord(value) && Object.keys(value).length > 0) return [key, shapeOf(value)];
      return [key, GROWING.has(key) && Array.isArray(value) ? value.length : true];
    }),
  );
}

/** Restores settings from their {@link shapeOf} and the object that they were merged into. */
export function readShape(shape: unknown, merged: unknown): JsonObject | undefined {
  if (!isRecord(shape) || !isRecord(merged)) return undefined;
  const found = Object.entries(shape).map(([key, part]): [string, unknown] => {
    const value = own(merged, key);
    if (isRecord(part)) return [key, readShape(part, value) ?? {}];
    return [key, typeof part === "number" && Array.isArray(value) ? value.slice(value.length - part) : value];
  });
  return Object.fromEntries(found);
}
