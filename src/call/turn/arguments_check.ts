import { ToolError } from "../../base/errors.ts";
import { type JsonObject, madeOnceFor } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import type { CalledTool } from "./called_tool.ts";

/**
 * Validates arguments against the tool's JSON Schema.
 *
 * @throws {ToolError} `tool-arguments`.
 */
export async function checkArguments({ name, parameters }: CalledTool, args: JsonObject): Promise<void> {
  if (!constrains(parameters)) return;
  const validate = await compiled(parameters);
  if (validate(args)) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) =>
      `${instancePath.slice(1).replaceAll("/", ".") || "arguments"} ${message ?? "is wrong"}`,
  );
  throw new ToolError(`Cannot call tool "${name}": ${faults.join("; ")}`, {
    code: "tool-arguments",
    path: [name],
    hint: "Call it again with arguments that match its schema",
  });
}

/** Compiles a schema, once for each: that takes a hundred times as long as a check. */
const compiled = madeOnceFor(async (parameters: JsonSchema) => {
  // ajv supports every keyword found in tool parameters; loaded on first use
  const { Ajv } = await import("ajv");
  // ignore an unknown dialect: ajv checks the keywords that it supports
  const { $schema: _, ...schema } = parameters;
  return new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false }).compile(schema);
});

/** Whether a schema restricts anything besides the type. */
function constrains(schema: JsonSchema | null | undefined): schema is JsonSchema {
  return Object.keys(schema ?? {}).some((keyword) => keyword !== "type" && keyword !== "$schema");
}
