import { textOf } from "../../expressions/mod.ts";
import type { AgentGraph } from "../../graph/mod.ts";
import type { CallPath } from "../paths/mod.ts";

/** The variables with which a call on a path starts: the path's, and defaults of the graph. */
export function startVariables({ source_metadata: source }: AgentGraph, { variables }: CallPath): Map<string, string> {
  const defaults = Object.entries(source.default_dynamic_variables ?? {}).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map([...defaults, ...Object.entries(variables)]);
}
