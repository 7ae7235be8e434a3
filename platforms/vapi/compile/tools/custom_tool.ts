import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { isToolKind, limits } from "../../api/mod.ts";
import { clip, slug } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { findDestination } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitCalledTool } from "./called_tool.ts";
import type { EmittedTool, Tool, ToolPlace } from "./emitted_tool.ts";
import { fitTool } from "./raw_tool.ts";
import { reportToolSettings, requestOf } from "./request.ts";
import { emitParameters, emitSchema } from "./schema.ts";
import { emitTransfer } from "./terminal_tool.ts";

/** A tool of the graph as one of Vapi's: with a `url` an API request, else a function that the assistant's server answers. */
export function emitCustomTool(definition: ToolDefinition, place: ToolPlace, context: EmitContext): EmittedTool {
  const { path, names, flags } = place;
  const { losses } = context;
  const raw = definition.metadata?.vapi;
  if (isRecord(raw) && typeof raw.toolId === "string") {
    return { toolId: raw.toolId, name: names.take(slug(definition.name)) };
  }
  if (isRecord(raw) && isToolKind(raw.type)) {
    const fitted = fitTool(raw, definition, place, context);
    if (fitted) return fitted;
  }
  reportToolSettings(definition, path, losses);
  if (definition.type === "end_call") return { tool: { type: "endCall" }, name: "endCall" };
  if (definition.type === "transfer_call") {
    const destination = findDestination(definition.metadata, definition);
    return { tool: emitTransfer(destination, undefined, definition.description, path, context), name: "transferCall" };
  }
  if (definition.type === "dtmf" || definition.type === "press_digit") return { tool: { type: "dtmf" }, name: "dtmf" };
  if (definition.type && !["custom", "function"].includes(definition.type)) {
    losses.emulated(
      "unknown-tool-type",
      path,
      `Vapi has no tool that does what a "${definition.type}" tool does`,
      "a function that your own server has to answer",
      "Give the tool as Vapi has it under metadata.vapi of the tool",
    );
  }
  const most = definition.url ? limits().requestName : limits().functionName;
  const name = names.take(slug(definition.name), most);
  if (name !== definition.name) {
    losses.emulated(
      "tool-renamed",
      path,
      `Vapi has no place for a tool called "${definition.name}"`,
      `the tool "${name}"`,
      `Use letters, digits, "_" and "-", at most ${most}, and each name once at a node`,
    );
  }
  const words = isRecord(raw) ? definition.description : emitText(definition.description, path, context);
  const description = emitDescription(words, path, context);
  const plan = emitResponsePlan(definition, flags, context);
  if (definition.url && flags.length > 0) {
    const url = urlOf(definition, path, context) ?? "";
    return { tool: emitCalledTool({ definition, name, description, url }, place, context), name };
  }
  if (definition.url) {
    const tool: Tool = {
      type: "apiRequest",
      name,
      method: "POST",
      ...requestOf(definition),
      url: urlOf(definition, path, context) ?? "",
      ...(description ? { description } : {}),
      ...(definition.parameters
        ? { body: emitSchema({ type: "object", ...definition.parameters }, path, losses) }
        : {}),
      ...plan,
    };
    return { tool, name };
  }
  const parameters = emitParameters(definition.parameters, path, losses);
  const tool: Tool = {
    type: "function",
    function: { name, ...(description ? { description } : {}), parameters },
    ...plan,
  };
  return { tool, name };
}

/** The address of a tool, with its variables by the names that they have in Vapi; raw tools of Vapi's have their own. */
export function urlOf({ url, metadata }: ToolDefinition, path: Path, context: EmitContext): string | undefined {
  if (!url) return undefined;
  return isRecord(metadata?.vapi) ? url : emitText(url, path, context);
}

/** A description within Vapi's limit. */
export function emitDescription(text: string, path: Path, context: EmitContext): string {
  const clipped = clip(text, limits().message);
  if (clipped !== text) {
    context.losses.emulated(
      "text-clipped",
      path,
      `A text of ${text.length} characters is longer than the ${limits().message} that Vapi takes here`,
      `its first ${limits().message} characters`,
      "Shorten the text",
    );
  }
  return clipped;
}

/** Aliases for what the graph reads from a tool's result, and for the fact that it has answered. */
function emitResponsePlan(
  definition: ToolDefinition,
  flags: readonly string[],
  context: EmitContext,
): { readonly variableExtractionPlan?: Vapi.VariableExtractionPlan } {
  const aliases = Object.entries(definition.response_variables ?? {}).map(([name, at]) => ({
    key: context.variables.emitted(name),
    value: `{{${at.startsWith("$") ? at : `$.${at}`}}}`,
  }));
  aliases.push(...flags.map((key) => ({ key, value: "succeeded" })));
  return aliases.length > 0 ? { variableExtractionPlan: { aliases } } : {};
}
