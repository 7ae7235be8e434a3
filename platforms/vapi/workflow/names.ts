import { freeName, isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { isText } from "../shared/mod.ts";
import { endNames } from "./edges.ts";
import { globalAt } from "./read_node.ts";

/** A node of the document with its index, its name and its id in the graph. */
export interface Placed {
  readonly raw: JsonObject;
  readonly index: number;
  readonly name: string;
  readonly id: string;
}

/** Assigns ids to the nodes of a document: the name, or the `id` if there is no name, with a number if it is taken. */
export function placeNodes(rawNodes: readonly unknown[]): readonly Placed[] {
  const taken = new Set<string>();
  return rawNodes.flatMap((raw, index) => {
    if (!isRecord(raw)) return [];
    const name = [raw.name, raw.id].find(isText) ?? `node_${index + 1}`;
    const id = freeName(name, (each) => taken.has(each), { joint: "_" });
    taken.add(id);
    return [{ raw, index, name, id }];
  });
}

/** Returns node ids in the graph by the names that edges use. Names take precedence over ids of the document. */
export function namesOf(placed: readonly Placed[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const { name, id } of placed) if (!byName.has(name)) byName.set(name, id);
  for (const { raw, id } of placed) if (isText(raw.id) && !byName.has(raw.id)) byName.set(raw.id, id);
  return byName;
}

/** Returns the marked start node, else the first node without an incoming edge. Other nodes precede global ones. */
export function findEntry(placed: readonly Placed[], edges: readonly JsonObject[]): Placed | undefined {
  const marked = placed.find(({ raw }) => raw.isStart === true) ?? placed.find(({ raw }) => raw.type === "start");
  if (marked) return marked;
  const reached = new Set(edges.map(endNames).flatMap(([from, to]) => (from === to ? [] : [to])));
  const free = placed.filter(({ raw, name }) => !reached.has(name) && !(isText(raw.id) && reached.has(raw.id)));
  return free.find(({ raw }) => globalAt(raw) === undefined) ?? free[0] ?? placed[0];
}

/**
 * Writes the names of nodes. A node that was imported with the same name as another keeps it, unless it would get
 * another id when imported again, or edges could not refer to it.
 *
 * @param ends Ids of the sources and targets of edges.
 * @returns The nodes, and a function for the name of a node in an edge: the wanted name if it refers to the node.
 */
export function nameNodes(
  nodes: readonly { readonly node: AgentNode; readonly json: JsonObject }[],
  ends: ReadonlySet<string>,
) {
  const shared = new Set(nodes.flatMap(({ node }) => (isText(recordAt(node.metadata, "vapi").name) ? [node.id] : [])));
  for (;;) {
    const named = nodes.map(({ node: { id }, json }) => {
      const name = shared.has(id) ? json.name : id;
      return {
        ...(json.id === "" ? { id: name } : { name }),
        ...omit(json, json.id === "" ? ["name", "id"] : ["name"]),
      };
    });
    const placed = placeNodes(named);
    const byName = namesOf(placed);
    const known = new Set(byName.values());
    const nameOf = (id: string, wanted: unknown) =>
      typeof wanted === "string" && byName.get(wanted) === id
        ? wanted
        : ([id, ...byName.keys()].find((name) => byName.get(name) === id) ?? id);
    const wrong = placed.flatMap(({ id: read, index }) => {
      const id = nodes[index]?.node.id ?? "";
      return shared.has(id) && (read !== id || (ends.has(id) && !known.has(id))) ? [id] : [];
    });
    if (wrong.length === 0) return { named, nameOf };
    for (const id of wrong) shared.delete(id);
  }
}
