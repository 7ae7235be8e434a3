import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, own, recordAt, sortedEntries } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { isToolKind, limits } from "../../api/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { functionSlug, isEmpty, type LossList, rawOf } from "../common/mod.ts";
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
  reportToolSettings(definition, path, losses, fitted !== undefined);
  if (fitted) {
    reportReplaced(definition, { ...fitted.tool }, path, losses);
    return fitted;
  }
  for (const key of unusedKeys(definition)) losses.add("tool-settings", [...path, key], [key]);
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

/** Reports what the graph says of a tool and Vapi's own JSON of it, which is emitted, does not. */
function reportReplaced(definition: ToolDefinition, tool: JsonObject, path: Path, losses: LossList): void {
  const text = JSON.stringify(tool);
  const has = (name: string) => text.includes(JSON.stringify(name).slice(1, -1));
  const { type, url, parameters, response_variables: variables } = definition;
  const plan = JSON.stringify(recordAt(tool, "variableExtractionPlan"));
  const isOwn = ["apiRequest", "function", "code"].includes(String(tool.type));
  const isHeld = {
    type: !isOwn || [undefined, null, "custom", "function", tool.type].includes(type),
    url: has(url ?? ""),
    parameters: Object.keys(recordAt({ ...parameters }, "properties")).every(has),
    response_variables: Object.entries(variables ?? {}).every(([name, at]) => plan.includes(name) || plan.includes(at)),
  };
  for (const [key, holds] of Object.entries(isHeld)) {
    const message = `The tool "${definition.name}" has Vapi's own JSON, which does not have its ${key}`;
    const hint = "Set it in metadata.vapi of the tool, or remove that JSON";
    if (!holds) losses.add("tool-dropped", [...path, key], { kind: "dropped", message, hint });
  }
}

/** Keys that a type of tool does not have at Vapi, which names its tools and describes their arguments itself. */
const UNUSED_KEYS: { readonly [type: string]: readonly (keyof ToolDefinition)[] } = {
  end_call: ["description", "parameters", "url", "response_variables"],
  dtmf: ["description", "parameters", "url", "response_variables"],
  press_digit: ["description", "parameters", "url", "response_variables"],
  transfer_call: ["parameters", "url", "response_variables"],
};

/** Returns the keys of a tool that Vapi's tool of its type does not have. */
function unusedKeys(definition: ToolDefinition): readonly string[] {
  const properties = Object.keys(recordAt({ ...definition.parameters }, "properties"));
  // the keys to press are the argument of Vapi's own tool
  const isImplied = properties.every((name) => definition.type !== "end_call" && name === "digits");
  return (own(UNUSED_KEYS, definition.type ?? "") ?? []).filter(
    (key) => !isEmpty(definition[key]) && !(key === "parameters" && isImplied),
  );
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
