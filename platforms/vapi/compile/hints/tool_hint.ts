import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../../src/values/mod.ts";
import { slug } from "../common/mod.ts";
import { requestHint, URL_VARIABLE } from "../tools/mod.ts";

/**
 * A tool of the graph for an assistant's metadata, which goes wherever Vapi sends the assistant: addresses, headers and
 * whatever else only the assistant's own tool should have are not repeated.
 *
 * @param emitted The assistant's own tools.
 * @param url The tool's address as it was emitted.
 */
export function hintOfTool(tool: ToolDefinition, emitted: readonly unknown[], url = tool.url ?? undefined): JsonObject {
  const raw = tool.metadata?.vapi;
  const plain = { ...omit({ ...tool }, ["metadata"]), ...(isRecord(raw) ? {} : requestHint(tool)) };
  if (!isRecord(raw) && !tool.url) return plain;
  if (isRecord(raw) && typeof raw.toolId === "string") return { ...plain, metadata: { vapi: { toolId: raw.toolId } } };
  const index = emitted.findIndex((each) => isMadeFrom(each, tool, url));
  if (index < 0) return plain;
  const isShared = typeof tool.url === "string" && urlOf(emitted[index]) === tool.url;
  return {
    ...(isShared ? { ...omit(plain, ["url"]), url: true } : plain),
    emitted: index,
    ...(isRecord(raw) ? { raw: true } : {}),
  };
}

/** The tool that {@link hintOfTool} was made of, as far as the assistant's own tool says it. */
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

function isMadeFrom(emitted: unknown, tool: ToolDefinition, url: string | undefined): boolean {
  if (!isRecord(emitted)) return false;
  const named = isRecord(emitted.function) ? emitted.function.name : emitted.name;
  const raw = tool.metadata?.vapi;
  if (typeof named !== "string") return isRecord(raw) && raw.type === emitted.type;
  const bare = slug(tool.name).slice(0, 30);
  return named.startsWith(bare) && (urlOf(emitted) ?? "") === (url ?? "");
}

function urlOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return undefined;
  const server = isRecord(tool.server) ? tool.server.url : undefined;
  const variables: readonly unknown[] = Array.isArray(tool.environmentVariables) ? tool.environmentVariables : [];
  const [called] = variables.filter(isRecord).filter(({ name }) => name === URL_VARIABLE);
  return [tool.url, server, called?.value].find((url) => typeof url === "string");
}
