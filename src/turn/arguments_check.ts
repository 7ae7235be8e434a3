import { ToolError } from "../errors.ts";
import type { JsonSchema } from "../graph/mod.ts";
import type { JsonObject } from "../values/mod.ts";
import type { CalledTool } from "./called_tool.ts";

/**
 * Holds a call's arguments to the tool's JSON Schema before anything is done with them.
 *
 * @throws {ToolError} `tool-arguments`.
 */
export async function checkArguments({ name, parameters }: CalledTool, args: JsonObject): Promise<void> {
  if (!constrains(parameters)) return;
  // ajv, because it knows every keyword that people put into tool parameters; loaded with the first tool that needs it
  const { Ajv } = await import("ajv");
  // a dialect that ajv has not loaded is no reason to refuse the call: the keywords that it shares are checked
  const { $schema: _, ...schema } = parameters;
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false }).compile(schema);
  if (validate(args)) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) =>
      `${instancePath.slice(1).replaceAll("/", ".") || "arguments"} ${message ?? "is wrong"}`,
  );
  throw new ToolError(`Cannot call tool "${name}": ${faults.join("; ")}`, {
    code: "tool-arguments",
    path: [name],
    hint: "Call it again with arguments that fit its schema",
  });
}

/** Any object will do where a schema says no more than that. */
function constrains(schema: JsonSchema | null | undefined): schema is JsonSchema {
  return Object.keys(schema ?? {}).some((keyword) => keyword !== "type" && keyword !== "$schema");
}
