import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { ownKeys } from "../shared/mod.ts";
import { type Field, isText, isTextMap, putFields, readFields } from "./fields.ts";

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
export function readTool(tool: JsonObject): JsonObject {
  return readFields(tool, toolFields(nameless(tool)));
}

/** Reads a tool that stands in its node: an id of its own is no reference to one of the flow's, so that it is only kept. */
export function readInlineTool(tool: JsonObject): JsonObject {
  const fields = toolFields(nameless(tool)).filter(({ graph }) => graph !== "tool_id");
  return readFields(tool, fields);
}

/** Writes a tool: the inverse of {@link readTool}. */
export function writeTool(tool: ToolDefinition): JsonObject {
  return putFields({ ...tool }, toolFields(""), ownKeys(tool.metadata));
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
