import type { Path } from "../../../src/errors.ts";
import type { ToolDefinition } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { toolDefaults, toolKinds } from "../shared/mod.ts";
import type { EmitContext } from "./emit_context.ts";
import { loss } from "./losses.ts";

/** A tool that did not come from Retell, made one of Retell's; a tool that did is left as it is. */
export function completeTool(
  tool: JsonObject,
  definition: ToolDefinition,
  { foreign, lose }: EmitContext,
  path: Path,
  kinds: readonly string[] = toolKinds(),
): JsonObject {
  if (!foreign) return tool;
  const named = definition.type ?? "custom";
  const type = kinds.includes(named) ? named : "custom";
  if (type !== named && named !== "function") lose(loss("tool-type", path, named));
  if (type === "custom" && !tool.url) lose(loss("tool-url", path, definition.name));
  const parameters = type === "custom" ? parametersOf(tool.parameters) : {};
  const { settings, described } = toolDefaults(type);
  return { ...(described ? { description: "" } : {}), ...settings, ...tool, type, ...parameters };
}

/** Retell wants an object schema with properties, or none at all. */
function parametersOf(parameters: unknown): JsonObject {
  if (typeof parameters !== "object" || parameters === null) return {};
  return { parameters: { properties: {}, ...parameters, type: "object" } };
}
