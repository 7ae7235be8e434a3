import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { toolsById, unusedTools } from "./flow_tools.ts";
import { readNode } from "./import_node.ts";

/** A node with the id that it is known by. */
export interface NamedNode {
  readonly id: string;
  readonly node: JsonObject;
}

/** The first thing wrong with a list of nodes, in words, and where it is in the body. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly state: string;
  readonly hint: string;
}

/** The nodes of a flow or a component in the graph's terms. */
export interface ReadBody {
  readonly nodes: readonly (readonly [id: string, node: JsonObject])[];
  readonly entry: string;
  /** Keys of the body besides its nodes: the tools that no node calls among them. */
  readonly own: JsonObject;
}

/** Reads what flows and components have in common: nodes, tools and where it starts. */
export function readBody(body: JsonObject): ReadBody | Problem {
  const named = nameNodes(body.nodes);
  if (!Array.isArray(named)) return named;
  const scope = { ids: new Set(named.map(({ id }) => id)), tools: toolsById(body.tools) };
  const nodes = named.map(({ id, node }) => [id, readNode(node, id, scope)] as const);
  const unused = unusedTools(
    body.tools,
    nodes.map(([, node]) => node),
  );
  return {
    nodes,
    entry: entryOf(body, named),
    own: { ...omit(body, ["nodes", "tools", "start_node_id"]), ...unused },
  };
}

function nameNodes(nodes: unknown): NamedNode[] | Problem {
  if (!Array.isArray(nodes))
    return { path: ["nodes"], state: '"nodes" is not a list', hint: 'Make it a list of objects with "id" and "type"' };
  if (nodes.length === 0) return { path: ["nodes"], state: '"nodes" is empty', hint: "Add the node where calls start" };
  const named = new Map<string, JsonObject>();
  for (const [index, node] of nodes.entries()) {
    const path = ["nodes", index];
    if (!isRecord(node)) return { path, state: `node ${index} is not an object`, hint: 'Give it "id" and "type"' };
    const { id } = node;
    if (typeof id !== "string")
      return { path: [...path, "id"], state: `node ${index} has no "id"`, hint: 'Give it an "id" of its own, a text' };
    if (named.has(id))
      return { path: [...path, "id"], state: `two nodes have the id "${id}"`, hint: "Give each node an id of its own" };
    named.set(id, node);
  }
  return [...named].map(([id, node]) => ({ id, node }));
}

/** Where calls start: what the flow names, else a node that says so of itself, else the first that can be. */
function entryOf(body: JsonObject, nodes: readonly NamedNode[]): string {
  const ids = new Set<unknown>(nodes.map(({ id }) => id));
  const named = [body.start_node_id, body.starting_node_id].find((id) => ids.has(id));
  const marked =
    nodes.find(({ node }) => node.is_start === true || node.start === true) ??
    nodes.find(({ node }) => !isRecord(node.global_node_setting) && node.type !== "end") ??
    nodes[0];
  return typeof named === "string" ? named : (marked?.id ?? "");
}
