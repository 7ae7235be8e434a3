import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";
import { isIndex } from "./names.ts";
import { type CallToolType, isCallToolType, type Kept, OWNER, unlessEmpty } from "./schema.ts";

/** A tool that is a node in the graph. */
export interface CallTool {
  readonly type: CallToolType;
  readonly name: string;
  readonly tool: JsonObject;
  /** Its place among the tools; absent: after all that are none, in order. */
  readonly at?: number;
}

/** A list of tools by what becomes of them. */
export interface SplitTools {
  readonly plain: readonly (JsonObject & { readonly name: string })[];
  readonly calls: readonly CallTool[];
  /** What is no tool that could be called: kept in its place. */
  readonly kept: readonly Kept[];
}

/** Sorts a document's list of tools; of anything else there are none. */
export function splitTools(value: unknown): SplitTools {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const plain: (JsonObject & { readonly name: string })[] = [];
  const calls: { type: CallToolType; name: string; tool: JsonObject; at: number }[] = [];
  const kept: Kept[] = [];
  for (const [at, tool] of items.entries()) {
    if (!isRecord(tool) || typeof tool.name !== "string") kept.push({ at, value: tool });
    else if (isCallToolType(tool.type)) calls.push({ type: tool.type, name: tool.name, tool, at });
    else plain.push({ ...tool, name: tool.name });
  }
  // numbers are listed before other keys in an object, so that the order of the nodes would not tell theirs
  const inOrder = kept.length === 0 && calls.every(({ at, name }) => at >= plain.length && !isIndex(name));
  return { plain, calls: inOrder ? calls.map(({ type, name, tool }) => ({ type, name, tool })) : calls, kept };
}

/**
 * Tools as the graph has them. Retell's own settings of a tool are kept under `retell`, as a flow keeps them.
 *
 * @param own What the format notes with each tool.
 */
export function importTools(
  tools: readonly (JsonObject & { readonly name: string })[],
  own?: JsonObject,
): ToolDefinition[] {
  return tools.map((tool) => {
    const { name, type, description, parameters, url, tool_id, response_variables } = tool;
    const modelled = {
      ...(typeof type === "string" ? { type } : {}),
      ...(isRecord(parameters) ? { parameters } : {}),
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof tool_id === "string" ? { tool_id } : {}),
      ...(isTextMap(response_variables) ? { response_variables } : {}),
    };
    const described = typeof description === "string" && description !== "";
    const rest = omit(tool, ["name", ...Object.keys(modelled), ...(described ? ["description"] : [])]);
    const metadata = unlessEmpty({ ...keep(rest), ...(own ? { [OWNER]: own } : {}) });
    return { name, description: described ? description : "", ...modelled, ...(metadata ? { metadata } : {}) };
  });
}

function isTextMap(value: unknown): value is { readonly [name: string]: string } {
  return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
}
