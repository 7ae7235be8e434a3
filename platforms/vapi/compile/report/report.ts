import type { EmitContext } from "../plan/mod.ts";
import { clausesOf } from "../text/mod.ts";
import { reportSettings } from "./settings.ts";
import { reportTransitions } from "./transitions.ts";

/** Reports all losses that concern no single tool. */
export function reportGraph(context: EmitContext, names: ReadonlyMap<string, string>): void {
  const { source: graph, losses, plan } = context;
  const nodes = Object.values(graph.nodes);
  for (const [id, name] of names) if (id !== name) losses.add("member-renamed", ["nodes", id], name);
  reportSettings(context);
  for (const node of nodes) reportTransitions(node, context);
  const extracted = new Set(nodes.flatMap((node) => node.variables_to_extract.map(({ name }) => name)));
  for (const { name, operator, path } of clausesOf(graph))
    if (extracted.has(name) && (operator === "exists" || operator === "not_exist"))
      losses.add("extraction-left-empty", path, name);
  for (const { id, global_node_setting: setting } of nodes)
    if (setting?.go_back_conditions.length)
      losses.add("go-back-timing", ["nodes", id, "global_node_setting", "go_back_conditions"]);
  if (context.contract && nodes.length > plan.members.length)
    losses.add("contracted", ["nodes"], plan.members.length, nodes.length, [...plan.merged.values()].flat().length);
}
