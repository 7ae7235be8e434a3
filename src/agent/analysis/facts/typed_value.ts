import type { VariableExtraction } from "../../../document/graph/mod.ts";

/**
 * Converts the text of a variable to the number or boolean that the graph declares.
 *
 * @returns `undefined` if the text is not one. Variables of other types, and undeclared ones, stay texts.
 */
export function typedValue(
  variable: Pick<VariableExtraction, "type"> | undefined,
  text: string,
): string | number | boolean | undefined {
  const trimmed = text.trim();
  if (variable?.type === "boolean")
    return /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === "true" : undefined;
  if (variable?.type !== "number") return text;
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}
