import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";
import { type CallToolType, isCallToolType, OWNER, unlessEmpty } from "./schema.ts";

/** A tool that is a node in the graph. */
export interface CallTool {
  readonly type: CallToolType;
  readonly name: string;
  readonly tool: JsonObject;
}

/** A list of tools by what becomes of them. */
export interface SplitTools {
  readonly plain: readonly (JsonObject & { readonly name: string })[];
  readonly calls: readonly CallTool[];
}

/** Sorts a document's list of tools; of anything else there are none, and what has no name cannot be called. */
export function splitTools(value: unknown): SplitTools {
  const plain: (JsonObject & { readonly name: string })[] = [];
  const calls: CallTool[] = [];
  for (const tool of Array.isArray(value) ? value.filter(isRecord) : []) {
    const { name, type } = tool;
    if (typeof name !== "string") continue;
    if (isCallToolType(type)) calls.push({ type, name, tool });
    else plain.push({ ...tool, name });
  }
  return { plain, calls };
}

/** Tools as the graph has them. Retell's own settings of a tool are kept under `retell`, as a flow keeps them. */
export function importTools(tools: SplitTools["plain"], llm: JsonObject = {}): ToolDefinition[] {
  return tools.map((tool) => {
    const { name, type, description, parameters, url, tool_id, response_variables } = tool;
    const modelled = {
      ...(typeof type === "string" ? { type } : {}),
      ...(isRecord(parameters) ? { parameters } : {}),
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof tool_id === "string" ? { tool_id } : {}),
      ...(isTextMap(response_variables) ? { response_variables } : {}),
    };
    const rest = omit(tool, ["name", "description", ...Object.keys(modelled)]);
    const metadata = unlessEmpty({ ...keep(rest), ...(unlessEmpty(llm) ? { [OWNER]: llm } : {}) });
    const said = typeof description === "string" ? description : "";
    return { name, description: said, ...modelled, ...(metadata ? { metadata } : {}) };
  });
}

function isTextMap(value: unknown): value is { readonly [name: string]: string } {
  return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
}
