import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { isAlways, type Route } from "../../../lower/mod.ts";
import { nodeOf } from "../common/mod.ts";
import { destinationOf } from "./destination.ts";
import { hasDestination, isPlainTerminal, ownTerminals } from "./own_terminals.ts";

/**
 * Ends and transfers that cannot share one tool of a member. Two of them, or one and a tool of the member's own, where
 * something besides the model tells them apart: a guard, fixed words, or that only some of them know where they lead.
 * And those that two ways lead to under different guards: the tool would be open on one way while the other allows it.
 */
export function ambiguousEnds(graph: AgentGraph, routes: ReadonlyMap<string, readonly Route[]>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [id, list] of routes) {
    const work = new Set([id, ...list.flatMap(({ through }) => through)]);
    const nodes = [...work].flatMap((each) => nodeOf(graph, each) ?? []);
    for (const [type, kind] of [
      ["end", "endCall"],
      ["transfer", "transferCall"],
    ] as const) {
      const ends = list.filter(
        ({ target }) => target !== id && nodeOf(graph, target)?.node_type === type && !routes.has(target),
      );
      const targets = [...new Set(ends.map(({ target }) => target))].flatMap((each) => nodeOf(graph, each) ?? []);
      const own = ownTerminals(nodes, kind);
      if (targets.length === 0) continue;
      if (ends.some(({ guard }) => !isAlways(guard)) && hasRivals(ends)) {
        for (const target of targets) found.add(target.id);
        continue;
      }
      if (targets.length + own.length < 2) continue;
      const leads = [...targets.map((each) => destinationOf(each) !== undefined), ...own.map(hasDestination)];
      const plain =
        own.every(isPlainTerminal) &&
        targets.every(({ instruction_type }) => instruction_type !== "static_text") &&
        ends.every(({ guard }) => isAlways(guard)) &&
        (type === "end" || new Set(leads).size === 1);
      if (!plain) for (const target of targets) found.add(target.id);
    }
  }
  return found;
}

/** Whether the model chooses between ways that are open at different times. */
function hasRivals(routes: readonly Route[]): boolean {
  const guards = new Map<string, Set<string>>();
  for (const { choices, guard } of routes) {
    if (choices.length === 0) continue; // variables alone decide: the call goes there whatever the model chooses
    const key = JSON.stringify(choices);
    guards.set(key, (guards.get(key) ?? new Set()).add(JSON.stringify(guard)));
  }
  return new Set([...guards.values()].map((each) => JSON.stringify([...each].sort()))).size > 1;
}
