import { replacePlaceholders } from "../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import { liquidText } from "../shared/mod.ts";

/** Texts with defaults in their placeholders, and the loss of each default. */
export interface Defaulted {
  readonly texts: readonly string[];
  readonly losses: readonly Loss[];
}

/** Writes the defaults of variables into the placeholders of texts: a saved assistant has no other place for them. */
export function withDefaults(graph: AgentGraph, texts: readonly string[]): Defaulted {
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const named = new Set<string>();
  const written = texts.map((text) =>
    replacePlaceholders(text, (name) => {
      const value: unknown = own(defaults, name);
      if (value === undefined) return undefined;
      named.add(name);
      return `{{ ${name} | default: ${liquidText(typeof value === "string" ? value : JSON.stringify(value))} }}`;
    }),
  );
  const losses = Object.keys(defaults).map(
    (name): Loss => ({
      code: "variable-default",
      kind: named.has(name) ? "emulated" : "dropped",
      path: ["source_metadata", "default_dynamic_variables", name],
      message: "A saved assistant has no place for a variable's default",
      ...(named.has(name) ? { instead: "the default in each placeholder of its prompt and opening" } : {}),
      hint: "Give the variable a value in each call, or emit a squad",
    }),
  );
  return { texts: written, losses };
}
