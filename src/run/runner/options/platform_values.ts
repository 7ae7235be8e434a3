import { type SystemVariables, systemValues } from "../../../../platforms/mod.ts";
import { placeholderContents } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/**
 * Returns values for the platforms' own variables that a graph uses, as they are at the start of a call.
 *
 * @param names Names from {@link namesIn}.
 * @param callId Identical for the same call in every run, so that prompts do not change between runs.
 */
export function platformValues(
  names: ReadonlySet<string>,
  callId: string,
  { now, systemVariables = {} }: { readonly now: Date; readonly systemVariables?: SystemVariables | undefined },
): { readonly [name: string]: string } {
  return systemValues(names, { ...systemVariables, now, callId });
}

/** Returns the name of every `{{name}}` in the graph's texts, and the names in its equations. */
export function namesIn(graph: AgentGraph): ReadonlySet<string> {
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
