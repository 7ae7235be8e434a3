import { getAt, isRecord, type JsonObject, omit, own, setAt } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { HINT_KEY, type VapiTool } from "../common/mod.ts";
import { GROWING } from "../settings/mod.ts";
import { headerVariable, requestHint, URL_VARIABLE } from "../tools/mod.ts";

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
    ...withHeldHeaders(isShared ? { ...omit(plain, ["url"]), url: true } : plain, emitted[index]),
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
    ...withHeaders(plain, tool),
    ...(found === undefined ? {} : { url: found }),
    ...(raw === true && isRecord(tool) ? { metadata: { vapi: tool } } : {}),
  };
}

function urlOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return undefined;
  const server = isRecord(tool.server) ? tool.server.url : undefined;
  return [tool.url, server, variableOf(tool, URL_VARIABLE)].find((url) => typeof url === "string");
}

function variableOf(tool: unknown, wanted: string): unknown {
  const variables = isRecord(tool) && Array.isArray(tool.environmentVariables) ? tool.environmentVariables : [];
  return variables.filter(isRecord).find(({ name }) => name === wanted)?.value;
}

const HEADERS = ["metadata", HINT_KEY, "headers"];

/** Replaces the values of headers that the emitted tool has by `true`. */
function withHeldHeaders(hint: JsonObject, tool: unknown): JsonObject {
  const headers = getAt(hint, HEADERS);
  if (!isRecord(headers)) return hint;
  const held = Object.entries(headers).map(([name, value], index) => {
    return [name, variableOf(tool, headerVariable(index)) === value ? true : value];
  });
  return setAt(hint, HEADERS, Object.fromEntries(held));
}

/** Restores the headers of {@link withHeldHeaders}. */
function withHeaders(hint: JsonObject, tool: unknown): JsonObject {
  const headers = getAt(hint, HEADERS);
  if (!isRecord(headers)) return hint;
  const found = Object.entries(headers).map(([name, value], index) => {
    return [name, value === true ? variableOf(tool, headerVariable(index)) : value];
  });
  return setAt(hint, HEADERS, Object.fromEntries(found));
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
