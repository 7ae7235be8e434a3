import { getAt, own } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../document/platforms/mod.ts";
import { decompose } from "../analysis/mod.ts";
import type { PictureGroup } from "../pictures/mod.ts";

/** How nodes can be grouped into frames. */
export const GROUPINGS = ["auto", "components", "none", "parts"] as const;

/** How nodes are grouped into frames; `auto` chooses one of the others. */
export type Grouping = (typeof GROUPINGS)[number];

/** From this many nodes on, `auto` draws parts: a picture without frames is wider than any screen. */
const LARGE = 60;

/**
 * The groups of a graph: those of the platform's document, such as components, or the parts that `decompose()` finds.
 *
 * @param drawn The nodes of a cut-out; absent for the whole graph.
 */
export function nodeGroups(
  graph: AgentGraph,
  grouping: Grouping,
  drawn: ReadonlySet<string> | undefined,
): readonly PictureGroup[] {
  if (grouping === "none") return [];
  const components = grouping === "parts" ? [] : componentsIn(graph);
  if (components.length > 0 || grouping === "components") return components;
  const count = drawn?.size ?? Object.keys(graph.nodes).length;
  if (grouping === "auto" && count < LARGE) return [];
  // a graph without its entry node cannot be decomposed
  return own(graph.nodes, graph.entry_node_id) ? partsIn(graph) : [];
}

/** Where the platforms' settings of a node name its group. */
const GROUP_PATHS = PLATFORM_NAMES.flatMap((name) => {
  const { nodeGroup } = PLATFORM_DATA[name].keys;
  return nodeGroup === null ? [] : [[name, ...nodeGroup]];
});

/** A component node with the nodes that were imported for it. */
function componentsIn(graph: AgentGraph): readonly PictureGroup[] {
  const groups = new Map<string, string[]>();
  for (const [id, { metadata }] of Object.entries(graph.nodes)) {
    const of = GROUP_PATHS.map((path) => getAt(metadata, path)).find((name) => typeof name === "string");
    if (typeof of !== "string") continue;
    const group = groups.get(of);
    if (group) group.push(id);
    else groups.set(of, [id]);
  }
  return [...groups].map(([name, nodes]) => ({ name, nodes }));
}

function partsIn(graph: AgentGraph): readonly PictureGroup[] {
  const large = decompose(graph).manifest;
  const { main, parts } = large.parts.length > 1 ? large : decompose(graph, { parts: 2 }).manifest;
  const named = parts.map(({ name, nodes }) => ({ name, nodes }));
  const owned = new Set(parts.flatMap(({ nodes }) => nodes));
  const shared = Object.keys(graph.nodes).filter((id) => !owned.has(id));
  const ordered = [...named.filter(({ name }) => name === main), ...named.filter(({ name }) => name !== main)];
  const groups = ordered.flatMap((part) => branchesOf(part, graph));
  if (groups.length < 2) return [];
  return shared.length > 0 ? [...groups, { name: "shared by several parts", nodes: shared }] : groups;
}

/** Approximate number of nodes in a frame; larger ones are taller than a screen. */
const NODES_OF_FRAME = 20;

/**
 * Cuts a large group of nodes into branches: each has a node and the nodes reached through it. A part with many entries
 * cannot be decomposed, and would fill the picture.
 */
function branchesOf(group: PictureGroup, graph: AgentGraph): readonly PictureGroup[] {
  if (group.nodes.length <= 2 * NODES_OF_FRAME) return [group];
  const inside = new Set(group.nodes);
  const parents = new Map<string, string | undefined>();
  const order: string[] = [];
  for (const start of [group.name, ...group.nodes]) {
    if (!inside.has(start) || parents.has(start)) continue;
    parents.set(start, undefined);
    const waiting = [start];
    for (const id of waiting) {
      order.push(id);
      for (const { target_node_id: to } of own(graph.nodes, id)?.transitions ?? []) {
        if (!inside.has(to) || parents.has(to)) continue;
        parents.set(to, id);
        waiting.push(to);
      }
    }
  }
  const open = new Map(order.map((id): [string, string[]] => [id, [id]]));
  const branches: PictureGroup[] = [];
  for (const id of order.toReversed()) {
    const nodes = open.get(id) ?? [];
    const parent = parents.get(id);
    if (nodes.length < NODES_OF_FRAME && parent !== undefined) open.get(parent)?.push(...nodes);
    else branches.push({ name: id, nodes });
  }
  return branches.toReversed();
}
