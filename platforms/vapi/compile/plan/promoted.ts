import { canonicalJson, groupBy, own } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { isAlways, isSilent, type Route } from "../../../lower/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { isTracked, toolOfNode } from "./outcomes.ts";
import { hasDestination, isPlainTerminal, ownTerminals, TERMINALS } from "./terminals.ts";

/**
 * Promotes function nodes to members if another node of the same member has the same tool. A member has each tool once,
 * so one call would open the transitions of both nodes. At a member of its own, the call counts only for the function
 * node.
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

/** Returns the first function node of a member that shares its tool with another node of the member. */
function sharing(graph: AgentGraph, member: AgentNode, promoted: ReadonlySet<string>): AgentNode | undefined {
  const reached = new Set([member]);
  for (const node of reached)
    for (const { target_node_id: target } of node.transitions) {
      const next = own(graph.nodes, target);
      if (next && isSilent(next) && !promoted.has(target)) reached.add(next);
    }
  const taken = new Set(
    [...reached].flatMap((node) => node.tools.slice(toolOfNode(node) ? 1 : 0)).map((tool) => canonicalJson(tool)),
  );
  for (const node of reached) {
    const tool = toolOfNode(node);
    if (!isTracked(tool)) continue;
    const key = canonicalJson(tool);
    if (taken.has(key) && node !== member) return node;
    taken.add(key);
  }
  return undefined;
}

/**
 * Returns ends and transfers that cannot share one tool of a member. First: several ends, or an end and a tool of the
 * member's own, that differ in a guard, in static text, or in whether they have a destination. Second: ends with
 * several routes under different guards, because the tool would be accepted on one route if another one is open.
 */
export function ambiguousEnds(graph: AgentGraph, routes: ReadonlyMap<string, readonly Route[]>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [id, list] of routes) {
    const work = new Set([id, ...list.flatMap(({ through }) => through)]);
    const nodes = [...work].flatMap((each) => own(graph.nodes, each) ?? []);
    for (const [type, kind] of TERMINALS) {
      const ends = list.filter(
        ({ target }) => target !== id && own(graph.nodes, target)?.node_type === type && !routes.has(target),
      );
      const targets = [...new Set(ends.map(({ target }) => target))].flatMap((each) => own(graph.nodes, each) ?? []);
      const mine = ownTerminals(nodes, kind);
      const isOpen = ends.every(({ guard }) => isAlways(guard));
      const leads = [...targets.map((each) => destinationsFor(each).length > 0), ...mine.map(hasDestination)];
      const canShare =
        isOpen &&
        mine.every(isPlainTerminal) &&
        targets.every(({ instruction_type }) => instruction_type !== "static_text") &&
        (type === "end" || new Set(leads).size === 1);
      const isAmbiguous = (!isOpen && hasRivals(ends)) || (targets.length + mine.length > 1 && !canShare);
      for (const target of isAmbiguous ? targets : []) found.add(target.id);
    }
  }
  return found;
}

/** Whether the model chooses between routes with different guards. */
function hasRivals(routes: readonly Route[]): boolean {
  // a route without a choice is taken by its guard alone
  const chosen = groupBy(routes, ({ choices }) => (choices.length > 0 ? canonicalJson(choices) : undefined));
  const guards = [...chosen.values()].map((each) => new Set(each.map(({ guard }) => canonicalJson(guard))));
  return new Set(guards.map((each) => JSON.stringify([...each].sort()))).size > 1;
}
