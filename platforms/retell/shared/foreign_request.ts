import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { vapiToolOf } from "../../vapi/traits/mod.ts";
import { OWNER, ownKeys } from "./keep.ts";
import { isText, isTextMap } from "./values.ts";

/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.method`) */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.timeout_ms`) */
const [LEAST_MS, MOST_MS] = [1_000, 600_000];
/** Types of tools that make a request, by their names on every platform. */
const REQUESTS = [undefined, "custom", "function", "apiRequest"];

/** A setting of Vapi that a custom tool of Retell has too. */
interface SharedSetting {
  /** As `settingNames()` of a tool writes it. */
  readonly name: string;
  readonly retell: JsonObject;
}

/** Puts the method, time limit and fixed headers of Vapi's requests into Retell's settings of the tools. */
export function withRequests(graph: AgentGraph): AgentGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => {
      const shared = sharedSettings(tool);
      if (shared.length === 0) return tool;
      const kept = { ...Object.assign({}, ...shared.map(({ retell }) => retell)), ...ownKeys(tool) };
      return { ...tool, metadata: { ...tool.metadata, [OWNER]: kept } };
    });
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/** The names of Vapi's settings of a tool that {@link withRequests} converts. */
export function convertedSettings(tool: ToolDefinition): readonly string[] {
  return sharedSettings(tool).map(({ name }) => name);
}

function sharedSettings(tool: ToolDefinition): readonly SharedSetting[] {
  if (!tool.url || !REQUESTS.includes(tool.type ?? undefined)) return [];
  const raw = vapiToolOf(tool.metadata?.vapi);
  const server = recordAt(raw, "server");
  const method = String(raw.method).toUpperCase();
  return [
    ...(METHODS.includes(method) ? [{ name: "method", retell: { method } }] : []),
    ...timeout("timeoutSeconds", raw.timeoutSeconds),
    ...timeout("server.timeoutSeconds", server.timeoutSeconds),
    ...headers("headers", fixedValues(raw.headers)),
    ...headers("server.headers", server.headers),
  ];
}

function timeout(name: string, seconds: unknown): readonly SharedSetting[] {
  const timeoutMs = typeof seconds === "number" ? seconds * 1_000 : Number.NaN;
  return timeoutMs >= LEAST_MS && timeoutMs <= MOST_MS ? [{ name, retell: { timeout_ms: timeoutMs } }] : [];
}

function headers(name: string, found: unknown): readonly SharedSetting[] {
  return isTextMap(found) && Object.keys(found).length > 0 ? [{ name, retell: { headers: found } }] : [];
}

/** The values of a schema whose properties are all fixed texts. Older tools have plain texts. */
function fixedValues(schema: unknown): unknown {
  if (!isRecord(schema) || schema.type !== "object") return schema;
  const values = Object.entries(recordAt(schema, "properties")).map(([key, property]) => [
    key,
    isRecord(property) ? property.value : undefined,
  ]);
  return values.every(([, value]) => isText(value)) ? Object.fromEntries(values) : undefined;
}
