import { type AgentGraph, definitionOf, type VariableExtraction } from "../../../document/graph/mod.ts";

/**
 * The variables that a graph declares: extracted, filled by tools, with a default, or declared in code. A call may be
 * given others.
 */
export function knownVariables(graph: AgentGraph): ReadonlyMap<string, VariableExtraction> {
  const named = (name: string): VariableExtraction => ({ name, description: "", type: "string" });
  const nodes = Object.values(graph.nodes);
  const tools = nodes.flatMap((node) => node.tools);
  const all = [
    ...Object.keys(graph.source_metadata.default_dynamic_variables ?? {}).map(named),
    ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {}).map(named)),
    ...(definitionOf(graph)?.variables ?? []),
    ...nodes.flatMap((node) => node.variables_to_extract),
  ];
  return new Map(all.map((variable) => [variable.name, variable]));
}
