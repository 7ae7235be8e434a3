import type { Path } from "../../../../src/errors.ts";
import type { AgentNode, Transition } from "../../../../src/graph/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import { awaitedTools, type EmitContext, outcomeSource } from "../plan/mod.ts";

/** Reports which transitions of a node the model makes where the graph would, and which of them are left out. */
export function reportTransitions(node: AgentNode, context: EmitContext): void {
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
