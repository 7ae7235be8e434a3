import { isRecord, sortedEntries } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { isToolKind, limits } from "../../api/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { functionSlug, rawOf } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitCalledTool } from "./code_tools.ts";
import {
  type EmittedTool,
  emitDescription,
  emitParameters,
  emitSchema,
  emitTransfer,
  type ToolPlace,
} from "./parts.ts";
import { fitTool } from "./raw_tool.ts";
import { reportToolSettings, requestOf } from "./request.ts";

/** Converts a tool of the graph: to an API request if it has a `url`, else to a function on the assistant's server. */
export function emitCustomTool(definition: ToolDefinition, place: ToolPlace, context: EmitContext): EmittedTool {
  const { path, names, flags } = place;
  const { losses } = context;
  const { type, url } = definition;
  const raw = rawOf(definition);
  if (typeof raw.toolId === "string") return { toolId: raw.toolId, name: names.take(functionSlug(definition.name)) };
  const fitted = isToolKind(raw.type) ? fitTool(raw, definition, place, context) : undefined;
  if (fitted) return fitted;
  reportToolSettings(definition, path, losses);
  const isTold = definition.description !== "" && (type === "end_call" || type === "dtmf" || type === "press_digit");
  if (isTold) losses.add("tool-settings", [...path, "description"], ["description"]);
  if (type === "end_call") return { tool: { type: "endCall" }, name: "endCall" };
  if (type === "dtmf" || type === "press_digit") return { tool: { type: "dtmf" }, name: "dtmf" };
  if (type === "transfer_call") {
    return {
      tool: emitTransfer(destinationsFor(definition), definition.description, path, context),
      name: "transferCall",
    };
  }
  if (type && type !== "custom" && type !== "function") losses.add("unknown-tool-type", path, type);
  const most = url ? limits().requestName : limits().functionName;
  const name = names.take(functionSlug(definition.name), most);
  // texts of a tool with Vapi's own JSON are not converted
  const textOf = (text: string) => (isRecord(definition.metadata?.vapi) ? text : emitText(text, path, context));
  const description = emitDescription(textOf(definition.description), path, context);
  const described = description ? { description } : {};
  if (url && flags.length > 0)
    return { tool: emitCalledTool(definition, { name, ...described, url: textOf(url) }, place, context), name };
  const plan = emitResponsePlan(definition, flags, context);
  if (!url) {
    const parameters = emitParameters(definition.parameters, path, losses);
    return { tool: { type: "function", function: { name, ...described, parameters }, ...plan }, name };
  }
  const schema = definition.parameters && { type: "object", ...definition.parameters };
  const body = schema ? { body: emitSchema(schema, path, losses) } : {};
  const request = { method: "POST", ...requestOf(definition), url: textOf(url) } as const;
  return { tool: { type: "apiRequest", name, ...request, ...described, ...body, ...plan }, name };
}

/** Emits aliases for the variables that a tool's result sets, and for its outcome. */
function emitResponsePlan(definition: ToolDefinition, flags: readonly string[], context: EmitContext) {
  const aliases = [
    ...sortedEntries(definition.response_variables ?? {}).map(([name, at]) => ({
      key: context.variables.emitted(name),
      value: `{{${at.startsWith("$") ? at : `$.${at}`}}}`,
    })),
    ...flags.map((key) => ({ key, value: "succeeded" })),
  ];
  return aliases.length > 0 ? { variableExtractionPlan: { aliases } } : {};
}
