import type * as v from "valibot";
import type { InputSchema } from "./signature.ts";

/** The user message of a signature call: one section a field, headed by its name and what the schema says about it. */
export function renderInput<Input extends InputSchema>(schema: Input, input: v.InferOutput<Input>): string {
  const values = new Map<string, unknown>(Object.entries(input));
  return Object.entries(schema.entries)
    .map(([name, field]) => `## ${name}\n${descriptionOf(field)}${renderValue(values.get(name))}`)
    .join("\n\n");
}

function descriptionOf(field: v.GenericSchema | v.GenericSchemaAsync | unknown): string {
  const pipe: readonly unknown[] =
    typeof field === "object" && field !== null && "pipe" in field && Array.isArray(field.pipe) ? field.pipe : [];
  for (const action of pipe) {
    if (typeof action === "object" && action !== null && "type" in action && action.type === "description") {
      return "description" in action ? `(${String(action.description)})\n` : "";
    }
  }
  return "";
}

function renderValue(value: unknown): string {
  if (typeof value === "string") return value || "(empty)";
  if (Array.isArray(value) && value.length === 0) return "(none)";
  if (Array.isArray(value) && value.every(isLine))
    return value.map((line) => `${line.role}: ${line.content}`).join("\n");
  return JSON.stringify(value, null, 1);
}

function isLine(value: unknown): value is { role: string; content: string } {
  return typeof value === "object" && value !== null && "role" in value && "content" in value;
}
