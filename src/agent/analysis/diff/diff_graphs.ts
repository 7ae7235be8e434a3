import { type AgentGraph, type AgentNode, toGraph } from "../../../document/graph/mod.ts";
import { changeOf, type GraphChange, listedNames, shortQuote } from "./change_kinds.ts";
import type { NodePair } from "./changes/mod.ts";
import { agentChanges, followNames, nodeChanges } from "./changes/mod.ts";
import { findRenamed } from "./matching/mod.ts";

/**
 * Compares two versions of a graph by meaning: nodes that were added, removed or renamed, reworded prompts, changed
 * conditions of transitions, and every other difference by its path. Renamed nodes, variables, tools and snippets are
 * found by their content, and references follow them. The list is empty exactly when the fingerprints are equal.
 *
 * @returns Changes of the agent first, then by node in the order of `after`; a removed node follows the node before it.
 * @throws {GraphError} `not-a-graph`.
 * @example
 * ```ts
 * import { flow } from "callweave";
 * import { diffGraphs } from "callweave/analysis";
 *
 * const before = flow("shop").end("bye", { prompt: "Say goodbye." }).compile();
 * const after = flow("shop").end("bye", { prompt: "Thank the caller. Say goodbye." }).compile();
 * for (const { risk, message } of diffGraphs(before, after)) console.log(`${risk}: ${message}`);
 * ```
 */
export function diffGraphs(before: AgentGraph, after: AgentGraph): readonly GraphChange[] {
  const action = "Cannot compare graphs";
  const [earlier, later] = [toGraph(before, action), toGraph(after, action)];
  const renamed = findRenamed(earlier, later);
  const earlierIds = new Map([...renamed].map(([old, now]) => [now, old]));
  const follow = (id: string) => renamed.get(id) ?? id;
  const withLaterIds = renamed.size === 0 ? earlier : withIds(earlier, follow);
  const { graph: moved, changes: renames } = followNames(withLaterIds, later);

  const removed = removedAfter(earlier, later, renamed);
  return [
    ...agentChanges(moved, later),
    ...renames,
    ...(removed.get(undefined) ?? []),
    ...Object.entries(later.nodes).flatMap(([id, node]) => {
      const earlierId = earlierIds.get(id) ?? id;
      const old = Object.hasOwn(earlier.nodes, earlierId) ? moved.nodes[id] : undefined;
      return [
        ...(old ? changesOf({ before: old, after: node, earlierId, id }) : [added(id, node)]),
        ...(removed.get(id) ?? []),
      ];
    }),
  ];
}

function changesOf(pair: Omit<NodePair, "nodes">): readonly GraphChange[] {
  const { earlierId, id } = pair;
  if (earlierId === id) return nodeChanges({ ...pair, nodes: [id] });
  const nodes = [earlierId, id];
  const message = `Node ${shortQuote(earlierId)} is now called ${shortQuote(id)}`;
  const path = ["nodes", id];
  const rename = changeOf({ kind: "node-renamed", path, node: id, before: earlierId, after: id, nodes, message });
  return [rename, ...nodeChanges({ ...pair, nodes })];
}

function added(id: string, node: AgentNode): GraphChange {
  const targets = [...new Set(node.transitions.map(({ target_node_id: to }) => to))];
  const leads = targets.length > 0 ? `, leads to ${listedNames(targets)}` : "";
  const isGlobal = node.global_node_setting ? "global " : "";
  const message = `New ${isGlobal}node ${shortQuote(id)} (${node.node_type})${leads}`;
  const nodes = isGlobal ? {} : { nodes: [id] };
  return changeOf({ kind: "node-added", path: ["nodes", id], node: id, after: node, ...nodes, message });
}

/** The removed nodes, by the node that they followed; `undefined` for those at the start. */
function removedAfter(
  before: AgentGraph,
  after: AgentGraph,
  renamed: ReadonlyMap<string, string>,
): ReadonlyMap<string | undefined, readonly GraphChange[]> {
  const found = new Map<string | undefined, GraphChange[]>();
  let last: string | undefined;
  for (const [id, node] of Object.entries(before.nodes)) {
    const now = renamed.get(id) ?? (Object.hasOwn(after.nodes, id) ? id : undefined);
    if (now !== undefined) {
      last = now;
      continue;
    }
    const message = `Node ${shortQuote(id)} (${node.node_type}) is gone`;
    const change = changeOf({
      kind: "node-removed",
      path: ["nodes", id],
      node: id,
      before: node,
      nodes: [id],
      message,
    });
    const list = found.get(last);
    if (list) list.push(change);
    else found.set(last, [change]);
  }
  return found;
}

/** The same graph with other ids, all references included. */
function withIds(graph: AgentGraph, follow: (id: string) => string): AgentGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const transitions = node.transitions.map((each) => ({ ...each, target_node_id: follow(each.target_node_id) }));
    return [follow(id), { ...node, id: follow(node.id), transitions }] as const;
  });
  return { ...graph, entry_node_id: follow(graph.entry_node_id), nodes: Object.fromEntries(nodes) };
}
