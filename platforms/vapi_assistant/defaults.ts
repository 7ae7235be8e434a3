import type { AgentGraph } from "../../src/graph/mod.ts";
import type { Loss } from "../platform.ts";

/** A text with defaults in its placeholders, and the variables whose default Liquid has no way to write. */
export interface Defaulted {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/**
 * Writes the defaults of variables into the placeholders of a text: a saved assistant has no other place for them.
 * Liquid's strings know no escapes, so that a default with both kinds of quotes cannot be written.
 */
export function withDefaults(graph: AgentGraph, text: string): Defaulted {
  const losses: Loss[] = [];
  const defaults = Object.entries(graph.source_metadata.default_dynamic_variables ?? {});
  const written = defaults.reduce((result, [name, value]) => {
    const fallback = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    const quote = fallback.includes('"') ? "'" : '"';
    const path = ["source_metadata", "default_dynamic_variables", name];
    const about = {
      code: "variable-default",
      path,
      message: "A saved assistant has no place for a variable's default",
    };
    if (fallback.includes(quote)) {
      const instead = "the placeholder without a default";
      losses.push({ ...about, kind: "dropped", instead, hint: "Leave one kind of quotes out of the default" });
      return result;
    }
    const placeholder = `{{${name}}}`;
    if (!result.includes(placeholder)) return result;
    losses.push({
      ...about,
      kind: "emulated",
      instead: "the default in each placeholder of its prompt",
      hint: "Give the variable a value in each call, or emit a squad",
    });
    return result.replaceAll(placeholder, () => `{{ ${name} | default: ${quote}${fallback}${quote} }}`);
  }, text);
  return { text: written, losses };
}
