import { own } from "../../src/base/values/mod.ts";
import { type AgentGraph, isSilent } from "../../src/document/graph/mod.ts";

/** Maximum number of routes through a silent node; a node with more is kept. */
const MAX_ROUTES = 32;

/** Adds the silent nodes that close a cycle, or that too many routes pass through, to `promoted`. */
export function promoteBusy(graph: AgentGraph, promoted: Set<string>): void {
  const counts = new Map<string, number>();
  const open = new Set<string>();
  // iterative, because a chain of silent nodes may be as long as the graph
  for (const start of Object.keys(graph.nodes)) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? "";
      const node = own(graph.nodes, id);
      if (!node || counts.has(id)) {
        open.delete(id);
        stack.pop();
        continue;
      }
      const targets = isSilent(node) ? node.transitions.map(({ target_node_id }) => target_node_id) : [];
      const waiting = targets.filter((target) => !counts.has(target));
      if (!open.has(id) && waiting.length > 0) {
        open.add(id);
        for (const target of waiting) {
          if (open.has(target)) promoted.add(target);
          else stack.push(target);
        }
        continue;
      }
      const count = targets.reduce((sum, target) => sum + (promoted.has(target) ? 1 : (counts.get(target) ?? 1)), 0);
      if (isSilent(node) && count > MAX_ROUTES) promoted.add(id);
      counts.set(id, isSilent(node) && !promoted.has(id) ? Math.max(1, count) : 1);
      open.delete(id);
      stack.pop();
    }
  }
}
