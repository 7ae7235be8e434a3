import type { AgentGraph } from "../../../src/graph/mod.ts";
import type { Loss } from "../../platform.ts";

/** Texts with defaults in their placeholders, and what became of each default. */
export interface Defaulted {
  readonly texts: readonly string[];
  readonly losses: readonly Loss[];
}

/**
 * Writes the defaults of variables into the placeholders of texts: a saved assistant has no other place for them.
 * Liquid's strings know no escapes, so that a default with both kinds of quotes cannot be written.
 */
export function withDefaults(graph: AgentGraph, texts: readonly string[]): Defaulted {
  const losses: Loss[] = [];
  const defaults = Object.entries(graph.source_metadata.default_dynamic_variables ?? {});
  const written = defaults.reduce<readonly string[]>((result, [name, value]) => {
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
    const placeholder = new RegExp(`\\{\\{\\s*${escaped(name)}\\s*\\}\\}`, "g");
    const isNamed = result.some((text) => text.search(placeholder) >= 0);
    losses.push({
      ...about,
      kind: isNamed ? "emulated" : "dropped",
      ...(isNamed ? { instead: "the default in each placeholder of its prompt and opening" } : {}),
      hint: "Give the variable a value in each call, or emit a squad",
    });
    return result.map((text) =>
      text.replace(placeholder, () => `{{ ${name} | default: ${quote}${fallback}${quote} }}`),
    );
  }, texts);
  return { texts: written, losses };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
