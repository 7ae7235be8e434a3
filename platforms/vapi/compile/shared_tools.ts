import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isSilent } from "./kinds.ts";
import { nodeOf } from "./names.ts";
import { isTracked, toolOfNode } from "./outcomes.ts";

/**
 * Makes members of function nodes whose tool another node of the same member has, too. A member has each tool once, so
 * that one call would open the way past both nodes; at a member of its own, a call counts for the function node alone.
 *
 * @param merged Nodes that are the rest of a member's work, by the member.
 */
export function promoteShared(
  graph: AgentGraph,
  promoted: Set<string>,
  merged: ReadonlyMap<string, readonly string[]>,
): void {
  const inner = new Set([...merged.values()].flat());
  const members = Object.values(graph.nodes).filter(
    ({ id, node_type }) => !inner.has(id) && (promoted.has(id) || node_type === "conversation"),
  );
  for (let member = members.pop(); member; member = members.pop()) {
    const own = [member.id, ...(merged.get(member.id) ?? [])].flatMap((id) => nodeOf(graph, id) ?? []);
    for (let node = sharing(graph, own, promoted); node; node = sharing(graph, own, promoted)) {
      promoted.add(node.id);
      members.push(node);
    }
  }
}

/** The first function node behind a member whose tool another node of the member has. */
function sharing(graph: AgentGraph, own: readonly AgentNode[], promoted: ReadonlySet<string>): AgentNode | undefined {
  const reached = new Set(own);
  for (const node of reached) {
    if (node !== own.at(-1) && own.includes(node)) continue; // it leads to the next one of its chain only
    for (const { target_node_id: target } of node.transitions) {
      const next = nodeOf(graph, target);
      if (next && isSilent(next) && !promoted.has(target)) reached.add(next);
    }
  }
  const taken = new Set(
    [...reached].flatMap((node) => node.tools.slice(toolOfNode(node) ? 1 : 0)).map((tool) => JSON.stringify(tool)),
  );
  for (const node of reached) {
    const tool = toolOfNode(node);
    if (!isTracked(tool)) continue;
    const key = JSON.stringify(tool);
    if (taken.has(key) && !own.includes(node)) return node;
    taken.add(key);
  }
  return undefined;
}
