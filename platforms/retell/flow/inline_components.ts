import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";
import { COMPONENT, componentOf } from "./component_of.ts";
import { type ReadBody, readBody } from "./read_body.ts";

type Nodes = readonly (readonly [id: string, node: JsonObject])[];

/** A flow's nodes with those of its local components among them, and what is kept of the components. */
export interface Inlined {
  readonly nodes: Nodes;
  /** The flow's list, with inlined components without their nodes. */
  readonly components: { readonly components?: readonly JsonObject[] };
}

/**
 * Puts the nodes of local components where component nodes refer to them. The component node leads to its start, under
 * ids such as `book/ask`; its end nodes lead to `book/exit`, which goes on by the component node's edges. A component
 * that is defined elsewhere, or that cannot be read, is walked through.
 */
export function inlineComponents(nodes: Nodes, list: unknown): Inlined {
  const components = Array.isArray(list) ? list.filter(isRecord) : [];
  const taken = new Set(nodes.map(([id]) => id));
  const parts = new Map<number, ReadBody>();
  const all = nodes.flatMap(([id, node]) => {
    const index = componentOf(node.metadata, components);
    const component = components[index];
    const part = parts.get(index) ?? (component ? readBody(component) : undefined);
    if (!part || "state" in part || part.nodes.some(([, inner]) => isBusyEnd(inner))) return [[id, node] as const];
    const inner = part.nodes.map(([innerId]) => `${id}/${innerId}`);
    const own = new Set(inner);
    const exit = freeExit(id, (name) => taken.has(name) || own.has(name));
    if (inner.some((innerId) => taken.has(innerId))) return [[id, node] as const];
    for (const each of [...inner, exit]) taken.add(each);
    parts.set(index, part);
    return inlineOne(id, node, part, exit);
  });
  const left = components.map((component, index) => parts.get(index)?.own ?? component);
  return { nodes: all, components: left.length > 0 ? { components: left } : {} };
}

function isBusyEnd({ node_type: type, transitions }: JsonObject): boolean {
  return type === "end" && Array.isArray(transitions) && transitions.length > 0;
}

function freeExit(id: string, isTaken: (name: string) => boolean): string {
  let exit = `${id}/exit`;
  while (isTaken(exit)) exit += "_";
  return exit;
}

function inlineOne(id: string, node: JsonObject, part: ReadBody, exit: string): Nodes {
  const lead = (target: string) => ({ target_node_id: target, condition: { type: "always", value: "" } });
  const inner = part.nodes.map(([innerId, each]) => {
    const ends = each.node_type === "end" && ownKeys(each.metadata).type === undefined;
    const transitions = Array.isArray(each.transitions) ? each.transitions.filter(isRecord) : [];
    const renamed = transitions.map((edge) => ({ ...edge, target_node_id: `${id}/${String(edge.target_node_id)}` }));
    const moved = {
      ...each,
      id: `${id}/${innerId}`,
      ...(ends ? { node_type: "logic" } : {}),
      transitions: ends ? [lead(exit)] : renamed,
      metadata: keep({ ...ownKeys(each.metadata), [COMPONENT]: { of: id } }),
    };
    return [moved.id, moved] as const;
  });
  const leave = { id: exit, node_type: "logic", transitions: node.transitions };
  const enter = {
    ...node,
    transitions: [lead(`${id}/${part.entry}`)],
    metadata: keep({ ...ownKeys(node.metadata), [COMPONENT]: { exit } }),
  };
  return [[id, enter], ...inner, [exit, leave]];
}
