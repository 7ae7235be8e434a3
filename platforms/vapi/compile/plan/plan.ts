import { type CallState, foldLogic, isSilent, type Lowered, promoteBusy, type Route } from "../../../lower/mod.ts";
import { nodeOf } from "../common/mod.ts";
import { ambiguousEnds, promoteShared } from "./promoted.ts";

/** The nodes that become members, and how they lead to each other. */
export interface Plan {
  /** Ids of the members, the entry node first. */
  readonly members: readonly string[];
  readonly routes: ReadonlyMap<string, readonly Route[]>;
  /** Ids of nodes that are the rest of a member's work, by the member. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
  /** Whether a node is silent and nobody speaks behind it: a call would settle there. */
  readonly isDeadEnd: (id: string) => boolean;
}

/**
 * Lays a graph out as members and routes. Conversation nodes, the entry node and global nodes are members; `logic`,
 * `extract` and `function` nodes are passed through on the way, and `end` and `transfer` nodes are tools of those who
 * lead there, unless that would leave open which one is meant.
 *
 * @param globals Ids of the nodes that callers may ask for anywhere.
 */
export function planGraph({ graph, merged }: Lowered, globals: readonly string[], state: CallState): Plan {
  const promoted = new Set<string>([graph.entry_node_id, ...globals]);
  promoteBusy(graph, promoted);
  promoteShared(graph, promoted);
  const isMember = (id: string) => promoted.has(id) || nodeOf(graph, id)?.node_type === "conversation";
  const folded = foldLogic(graph, isMember, state);
  const ids = Object.keys(graph.nodes);
  const routes = new Map(ids.filter(isMember).map((id) => [id, folded.routes(id)]));
  for (const id of ambiguousEnds(graph, routes)) {
    promoted.add(id);
    routes.set(id, folded.routes(id));
  }
  const members = [graph.entry_node_id, ...ids.filter((id) => id !== graph.entry_node_id && isMember(id))];
  const dead = new Map<string, boolean>();
  const isDeadEnd = (id: string): boolean => {
    const node = nodeOf(graph, id);
    const isPassed = node !== undefined && isSilent(node) && !isMember(id);
    const found = dead.get(id) ?? (isPassed && node.transitions.every((next) => isDeadEnd(next.target_node_id)));
    dead.set(id, found);
    return found;
  };
  return { members, routes, merged, isDeadEnd };
}
