import type { ToolDefinition } from "../../src/document/graph/mod.ts";
import { missingFields } from "../document_fields.ts";
import { type AnyTool, tool } from "../tools/mod.ts";
import { type Code, call, object } from "./code.ts";
import { platformSettings } from "./eject_edge.ts";
import { propertyKey } from "./text_code.ts";
import { valueCode } from "./value_code.ts";

/** A tool, and the code that creates it. */
export interface EjectedTool {
  readonly tool: AnyTool;
  readonly code: Code;
}

/** Writes a tool with its schema. */
export function ejectTool(definition: ToolDefinition): EjectedTool {
  const { name, description, parameters, type, url, response_variables: response } = definition;
  const options = {
    name,
    description,
    ...(parameters ? { parameters } : {}),
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof type === "string" && type !== "custom" ? { type } : {}),
    ...(response ? { responseVariables: response } : {}),
    ...platformSettings("tool", definition.metadata),
  };
  const document = missingFields(tool(options).definition, definition);
  const all = Object.keys(document).length === 0 ? options : { ...options, document };
  const entries = Object.entries(all).map(([key, value]: [string, unknown]) => ({
    key: propertyKey(key),
    value: valueCode(value),
  }));
  return { tool: tool(all), code: call("tool", object(entries, true)) };
}
