import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep, kept, note, OWNER } from "../shared/mod.ts";
import { printOf } from "./print.ts";
import { type ReadBody, readBody } from "./read_body.ts";

type Nodes = readonly (readonly [id: string, node: JsonObject])[];

/** A flow's nodes with those of its local components among them, and what is kept of the components. */
export interface Inlined {
  readonly nodes: Nodes;
  /** The flow's list, with inlined components without what the graph has of them. */
  readonly components: readonly unknown[];
  /** Which of the list are inlined. */
  readonly places: readonly number[];
}

/**
 * Puts the nodes of local components where component nodes refer to them. The component node leads to its start, under
 * ids such as `book/ask`; its end nodes lead to `book/exit`, which goes on by the component node's edges. A component
 * that is defined elsewhere, or that cannot be read, is walked through.
 */
export function inlineComponents(nodes: Nodes, components: unknown): Inlined | undefined {
  if (!Array.isArray(components)) return undefined;
  const taken = new Set(nodes.map(([id]) => id));
  const parts = new Map<number, ReadBody>();
  const shared = new Set<number>();
  const all = nodes.flatMap(([id, node]) => {
    const index = componentOf(node, components);
    const component: unknown = components[index];
    const part = parts.get(index) ?? (isRecord(component) ? readBody(component) : undefined);
    if (!part || "state" in part || part.nodes.some(([, inner]) => isBusyEnd(inner))) return [[id, node] as const];
    const inner = part.nodes.map(([innerId]) => `${id}/${innerId}`);
    const own = new Set(inner);
    const exit = freeExit(id, (name) => taken.has(name) || own.has(name));
    if (inner.some((innerId) => taken.has(innerId))) return [[id, node] as const];
    for (const each of [...inner, exit]) taken.add(each);
    if (parts.has(index)) shared.add(index);
    parts.set(index, part);
    return inlineOne(id, node, part, index, exit);
  });
  if (parts.size === 0) return undefined;
  return {
    nodes: all,
    components: components.map((component: unknown, index) => {
      const part = parts.get(index);
      if (!part || !isRecord(component)) return component;
      const print = shared.has(index) ? { print: printOf(component) } : {};
      return keep({ ...omit(component, part.taken), ...part.own }, { ...part.lens, ...print })[OWNER] ?? {};
    }),
    places: [...parts.keys()].sort((a, b) => a - b),
  };
}

/** Which local component a node runs: real files have ids, the SDK's own shape has only names. */
function componentOf(node: JsonObject, components: readonly unknown[]): number {
  const { type, component_id: id, component_type: kind } = kept(node.metadata).own;
  if (type !== "component" || kind === "shared" || typeof id !== "string") return -1;
  const byId = components.findIndex((each) => isRecord(each) && each.conversation_flow_component_id === id);
  if (byId >= 0) return byId;
  return components.findIndex((each) => isRecord(each) && !each.conversation_flow_component_id && each.name === id);
}

function isBusyEnd({ node_type: type, transitions }: JsonObject): boolean {
  return type === "end" && Array.isArray(transitions) && transitions.length > 0;
}

function freeExit(id: string, isTaken: (name: string) => boolean): string {
  let exit = `${id}/exit`;
  while (isTaken(exit)) exit += "_";
  return exit;
}

function inlineOne(id: string, node: JsonObject, part: ReadBody, index: number, exit: string): Nodes {
  const lead = (target: string) => ({ target_node_id: target, condition: { type: "always", value: "" } });
  const inner = part.nodes.map(([innerId, each]) => {
    const ends = each.node_type === "end" && kept(each.metadata).own.type === undefined;
    const transitions = Array.isArray(each.transitions) ? each.transitions.filter(isRecord) : [];
    const renamed = transitions.map((edge) => ({ ...edge, target_node_id: `${id}/${String(edge.target_node_id)}` }));
    const moved = {
      ...each,
      id: `${id}/${innerId}`,
      ...(ends ? { node_type: "logic" } : {}),
      transitions: ends ? [lead(exit)] : renamed,
      metadata: note(each.metadata, { part: { of: id, id: innerId, ...(ends ? { end: true } : {}) } }),
    };
    return [moved.id, moved] as const;
  });
  const leave = { id: exit, node_type: "logic", transitions: node.transitions };
  const enter = {
    ...node,
    transitions: [lead(`${id}/${part.entry}`)],
    metadata: note(node.metadata, { component: { exit, index } }),
  };
  return [[id, enter], ...inner, [exit, leave]];
}
