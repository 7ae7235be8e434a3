import { freeName, type JsonObject, records } from "../../../src/base/values/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";
import { type ReadBody, readFlowBody } from "./read_body.ts";

/** Key of `metadata.retell`: `of` is the component node of an inlined node, `exit` the exit of a component node. */
export const COMPONENT_KEY = "component";

type Nodes = readonly (readonly [id: string, node: JsonObject])[];

/** Returns the index of a node's local component, or -1. Exports refer to it by id, the SDK's types by name. */
export function componentOf(node: object, components: readonly JsonObject[]): number {
  const { type, component_id: id, component_type: kind } = ownKeys(node);
  if (type !== "component" || kind === "shared" || typeof id !== "string") return -1;
  const byId = components.findIndex((each) => each.conversation_flow_component_id === id);
  if (byId >= 0) return byId;
  return components.findIndex((each) => !each.conversation_flow_component_id && each.name === id);
}

/**
 * Inlines the nodes of local components. The component node `book` leads to the component's start, such as `book/ask`;
 * the component's end nodes lead to `book/exit`, which has the component node's edges. A component that is defined
 * elsewhere, or that cannot be read, is skipped in calls.
 *
 * @returns All nodes, and the flow's list of components, without the nodes of inlined ones.
 */
export function inlineComponents(nodes: Nodes, list: unknown) {
  const components = records(list);
  const taken = new Set(nodes.map(([id]) => id));
  const parts = new Map<number, ReadBody>();
  const all = nodes.flatMap(([id, node]) => {
    const index = componentOf(node, components);
    const component = components[index];
    const part = parts.get(index) ?? (component ? readFlowBody(component) : undefined);
    if (!part || "state" in part || part.nodes.some(([, inner]) => isBusyEnd(inner))) return [[id, node] as const];
    const inner = part.nodes.map(([innerId]) => `${id}/${innerId}`);
    const exit = freeName(`${id}/exit`, (name) => taken.has(name) || inner.includes(name));
    if (inner.some((innerId) => taken.has(innerId))) return [[id, node] as const];
    for (const each of [...inner, exit]) taken.add(each);
    parts.set(index, part);
    return inlineOne(id, node, part, exit);
  });
  const left = components.map((component, index) => parts.get(index)?.own ?? component);
  return { nodes: all, components: left.length > 0 ? { components: left } : {} };
}

function isBusyEnd({ node_type: type, transitions }: JsonObject): boolean {
  return type === "end" && records(transitions).length > 0;
}

function inlineOne(id: string, node: JsonObject, part: ReadBody, exit: string): Nodes {
  const lead = (target: string) => [{ target_node_id: target, condition: { type: "always", value: "" } }];
  const mark = (each: JsonObject, note: JsonObject) => keep({ ...ownKeys(each), [COMPONENT_KEY]: note });
  const inner = part.nodes.map(([innerId, each]) => {
    const moved = { ...each, id: `${id}/${innerId}`, metadata: mark(each, { of: id }) };
    if (each.node_type === "end" && ownKeys(each).type === undefined)
      return [moved.id, { ...moved, node_type: "logic", transitions: lead(exit) }] as const;
    const transitions = records(each.transitions).map((edge) => ({
      ...edge,
      target_node_id: `${id}/${String(edge.target_node_id)}`,
    }));
    return [moved.id, { ...moved, transitions }] as const;
  });
  const enter = { ...node, transitions: lead(`${id}/${part.entry}`), metadata: mark(node, { exit }) };
  return [[id, enter], ...inner, [exit, { id: exit, node_type: "logic", transitions: node.transitions }]];
}
