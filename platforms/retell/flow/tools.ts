import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { kept } from "../shared/mod.ts";
import { type Field, getFields, isText, isTextMap, putFields } from "./fields.ts";

function toolFields(name: string): readonly Field[] {
  return [
    { graph: "name", retell: "name", fits: isText, fallback: name },
    { graph: "description", retell: "description", fits: isText, fallback: "" },
    { graph: "type", retell: "type", fits: isText },
    { graph: "url", retell: "url", fits: isText },
    { graph: "tool_id", retell: "tool_id", fits: isText },
    { graph: "parameters", retell: "parameters", fits: isRecord },
    { graph: "response_variables", retell: "response_variables", fits: isTextMap },
  ];
}

/** Reads one of Retell's tools; what the graph does not model (headers, timeouts, keys) is kept with it. */
export function readTool(tool: JsonObject, lens: JsonObject = {}): JsonObject {
  const name = typeof tool.name === "string" ? tool.name : nameless(tool);
  return getFields(tool, toolFields(name), typeof tool.name === "string" ? lens : { ...lens, name });
}

/** Writes a tool back: the inverse of {@link readTool}. */
export function writeTool(tool: ToolDefinition): JsonObject {
  const keptTool = kept(tool.metadata);
  const placeholder = typeof keptTool.lens.name === "string" ? keptTool.lens.name : undefined;
  const fields = toolFields(placeholder ?? "").map((field) =>
    field.graph === "name" && placeholder === undefined ? { ...field, fallback: undefined } : field,
  );
  return putFields({ ...tool }, fields, keptTool);
}

function nameless(tool: JsonObject): string {
  const id = typeof tool.tool_id === "string" ? tool.tool_id : tool.type;
  return typeof id === "string" && id !== "" ? id : "tool";
}

/**
 * A tool that stands for a node's own work (code, SMS, MCP, a function that is defined elsewhere), so that it can be
 * mocked by name. All that it says is also said by the node.
 */
export function standIn(name: string, type: string, more: JsonObject = {}): JsonObject {
  return { name, description: "", type, ...more };
}

/** A node's name as a tool's name: letters, digits, underscores and dashes, as Retell's test cases know them. */
export function toolName(node: JsonObject, id: string): string {
  const name = typeof node.name === "string" ? node.name.trim().replace(/[^A-Za-z0-9_-]+/g, "_") : "";
  return name.replace(/^_+|_+$/g, "") || id;
}
