import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { isSilent } from "../../../lower/mod.ts";
import { nodeOf } from "../common/mod.ts";
import { isTracked, toolOfNode } from "./outcomes.ts";

/**
 * Makes members of function nodes whose tool another node of the same member has, too. A member has each tool once, so
 * that one call would open the way past both nodes; at a member of its own, a call counts for the function node alone.
 */
export function promoteShared(graph: AgentGraph, promoted: Set<string>): void {
  const members = Object.values(graph.nodes).filter(
    ({ id, node_type }) => promoted.has(id) || node_type === "conversation",
  );
  for (let member = members.pop(); member; member = members.pop()) {
    for (let node = sharing(graph, member, promoted); node; node = sharing(graph, member, promoted)) {
      promoted.add(node.id);
      members.push(node);
    }
  }
}

/** The first function node behind a member whose tool another node of the member has. */
function sharing(graph: AgentGraph, member: AgentNode, promoted: ReadonlySet<string>): AgentNode | undefined {
  const reached = new Set([member]);
  for (const node of reached)
    for (const { target_node_id: target } of node.transitions) {
      const next = nodeOf(graph, target);
      if (next && isSilent(next) && !promoted.has(target)) reached.add(next);
    }
  const taken = new Set(
    [...reached].flatMap((node) => node.tools.slice(toolOfNode(node) ? 1 : 0)).map((tool) => JSON.stringify(tool)),
  );
  for (const node of reached) {
    const tool = toolOfNode(node);
    if (!isTracked(tool)) continue;
    const key = JSON.stringify(tool);
    if (taken.has(key) && node !== member) return node;
    taken.add(key);
  }
  return undefined;
}
