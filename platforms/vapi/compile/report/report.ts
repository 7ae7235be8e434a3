import type { Path } from "../../../../src/errors.ts";
import type { AgentNode, Transition } from "../../../../src/graph/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import { awaitedTools, type EmitContext, outcomeSource } from "../plan/mod.ts";
import { clausesOf } from "../text/mod.ts";
import { reportSettings } from "./settings.ts";

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

/** Reports which transitions of a node the model makes where the graph would, and which of them are left out. */
function reportTransitions(node: AgentNode, context: EmitContext): void {
  const { losses, plan } = context;
  const silent = isSilent(node);
  const firstLike = (timing: unknown) =>
    node.transitions.findIndex(
      (each) => each.condition.type === "always" && (silent || (each.timing === "else") === (timing === "else")),
    );
  let equations = 0;
  for (const [index, transition] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    const { condition, timing, target_node_id: target } = transition;
    if (!plan.isDeadEnd(node.id) && !isTerminal(node) && plan.isDeadEnd(target)) losses.add("dead-end", path, target);
    if (condition.type === "always") {
      const first = firstLike(timing);
      if (index !== first) losses.add("unreachable-transition", path, first);
      else if (!silent && timing !== "else") losses.add("forced-transition", path);
    }
    if (condition.type === "tool_call") reportOutcome(node, transition, path, context);
    if (condition.type !== "equation") continue;
    equations += 1;
    losses.add("equation-as-trigger", path);
    if (equations > 1) losses.add("edge-priority", path);
  }
}

function reportOutcome(node: AgentNode, transition: Transition, path: Path, { losses }: EmitContext): void {
  if (node.node_type === "transfer") {
    losses.add("transfer-failure-routing", path);
    return;
  }
  const sources = awaitedTools(node, transition).map(outcomeSource);
  for (const source of ["noted", "told"] as const)
    if (sources.includes(source)) losses.add("tool-outcome", path, source);
}
