import { placeholderContents } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** Returns the name of every `{{name}}` in the graph's texts, and the names in its equations. */
export function namesInGraph(graph: AgentGraph): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      for (const name of placeholderContents(value)) names.add(name);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(graph);
  for (const node of Object.values(graph.nodes)) {
    const backs = node.global_node_setting?.go_back_conditions ?? [];
    for (const { condition } of [...node.transitions, ...backs])
      for (const { left } of condition.equations ?? []) names.add(left);
  }
  return names;
}
