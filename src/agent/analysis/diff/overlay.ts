import type { AgentGraph, Transition } from "../../../document/graph/mod.ts";
import type { GraphChange } from "./change_kinds.ts";

/** How a node or transition is marked in a picture of changes. */
export type ChangeMark = "added" | "removed" | "changed";

/** Two versions of a graph merged into one, with the differences marked. */
export interface Overlay {
  /** The later version, with the nodes and transitions that were removed. */
  readonly graph: AgentGraph;
  readonly nodes: ReadonlyMap<string, ChangeMark>;
  /** By node, the marks of its transitions by their index. */
  readonly transitions: ReadonlyMap<string, ReadonlyMap<number, ChangeMark>>;
  /** By node, the id that it had before. */
  readonly formerIds: ReadonlyMap<string, string>;
}

/** Merges what was removed into the later version and marks the changes, for a picture. */
export function overlayChanges(before: AgentGraph, after: AgentGraph, changes: readonly GraphChange[]): Overlay {
  const renamed = new Map<string, string>();
  for (const { kind, before: old, after: now } of changes)
    if (kind === "node-renamed") renamed.set(String(old), String(now));
  const follow = (id: string) => renamed.get(id) ?? id;
  const nodes = new Map<string, ChangeMark>();
  const transitions = new Map<string, Map<number, ChangeMark>>();
  const marksOf = (id: string) => {
    const marks = transitions.get(id) ?? new Map<number, ChangeMark>();
    transitions.set(id, marks);
    return marks;
  };
  const gone = new Map<string, Transition[]>();
  const keep = (id: string, transition: Transition | undefined) => {
    if (transition)
      gone.set(id, [...(gone.get(id) ?? []), { ...transition, target_node_id: follow(transition.target_node_id) }]);
  };
  for (const change of changes) {
    const { kind, node, transition: index, nodes: noticed } = change;
    if (node === undefined || noticed?.length === 0) continue;
    const id = kind === "node-removed" ? node : follow(node);
    if (kind === "node-added" || kind === "node-removed") nodes.set(id, kind === "node-added" ? "added" : "removed");
    else if (index === undefined) nodes.set(id, "changed");
    else if (kind === "transition-removed") keep(id, before.nodes[node]?.transitions[index]);
    else {
      marksOf(id).set(index, kind === "transition-added" ? "added" : "changed");
      const now = after.nodes[id]?.transitions[index];
      if (kind === "transition-retargeted" && now) keep(id, { ...now, target_node_id: String(change.before) });
    }
  }
  const removed = Object.entries(before.nodes).flatMap(([id, node]) => {
    if (nodes.get(id) !== "removed") return [];
    const marks = marksOf(id);
    for (const at of node.transitions.keys()) marks.set(at, "removed");
    return [
      [
        id,
        {
          ...node,
          transitions: node.transitions.map((each) => ({ ...each, target_node_id: follow(each.target_node_id) })),
        },
      ] as const,
    ];
  });
  const kept = Object.entries(after.nodes).map(([id, node]) => {
    const more = gone.get(id) ?? [];
    for (const at of more.keys()) marksOf(id).set(node.transitions.length + at, "removed");
    if (nodes.get(id) === "added") for (const at of node.transitions.keys()) marksOf(id).set(at, "added");
    return [id, { ...node, transitions: [...node.transitions, ...more] }] as const;
  });
  const formerIds = new Map([...renamed].map(([old, now]) => [now, old]));
  return { graph: { ...after, nodes: Object.fromEntries([...kept, ...removed]) }, nodes, transitions, formerIds };
}
