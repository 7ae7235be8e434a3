import type { AgentGraph } from "../graph/mod.ts";
import { textOf } from "./text_of.ts";

/**
 * The variables that a call starts with, as text: the given ones, and defaults of the graph.
 *
 * @throws {EngineError} `invalid-option` for a value that JSON cannot represent.
 */
export function startVariables(graph: AgentGraph, values: { readonly [name: string]: unknown }): Map<string, string> {
  const variables = new Map<string, string>();
  for (const source of [graph.source_metadata.default_dynamic_variables ?? {}, values])
    for (const [name, value] of Object.entries(source)) {
      const text = textOf(value, name);
      if (text !== undefined) variables.set(name, text);
    }
  return variables;
}
