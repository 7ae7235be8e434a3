import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../src/values/mod.ts";
import { freeName, isText } from "../shared/mod.ts";
import { endNames } from "./edges.ts";
import { globalAt } from "./read_node.ts";

/** A node of the document, its place there, its name and its id in the graph. */
export interface Placed {
  readonly raw: JsonObject;
  readonly index: number;
  readonly name: string;
  readonly id: string;
}

/** Gives the nodes of a document their ids: the name, or in the guides the id. A second one of the same name gets a number. */
export function placeNodes(rawNodes: readonly unknown[]): readonly Placed[] {
  const taken = new Set<string>();
  return rawNodes.flatMap((raw, index) => {
    if (!isRecord(raw)) return [];
    const name = [raw.name, raw.id].find(isText) ?? `node_${index + 1}`;
    const id = freeName(name, taken);
    taken.add(id);
    return [{ raw, index, name, id }];
  });
}

/** Nodes by what edges call them: names first, then ids. */
export function namesOf(placed: readonly Placed[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const { name, id } of placed) if (!byName.has(name)) byName.set(name, id);
  for (const { raw, id } of placed) if (isText(raw.id) && !byName.has(raw.id)) byName.set(raw.id, id);
  return byName;
}

/** The node that says so, else the first that no other node leads to; global ones are entered from anywhere. */
export function findEntry(placed: readonly Placed[], edges: readonly JsonObject[]): Placed | undefined {
  const marked = placed.find(({ raw }) => raw.isStart === true) ?? placed.find(({ raw }) => raw.type === "start");
  if (marked) return marked;
  const reached = new Set(edges.map(endNames).flatMap(([from, to]) => (from === to ? [] : [to])));
  const free = placed.filter(({ raw, name }) => !reached.has(name) && !(isText(raw.id) && reached.has(raw.id)));
  return free.find(({ raw }) => globalAt(raw) === undefined) ?? free[0] ?? placed[0];
}

/** Nodes with their names. */
interface Named {
  readonly named: readonly JsonObject[];
  /** What edges call a node: by the name that is wanted if the node has it. */
  readonly nameOf: (id: string, wanted: unknown) => string;
}

/**
 * Writes the names of nodes. A node whose document gave it the name of another one keeps that name unless it would be read
 * back under another id, or an edge could not tell it from the other.
 *
 * @param ends Ids of the nodes that edges lead from or to.
 */
export function nameNodes(
  nodes: readonly { readonly node: AgentNode; readonly json: JsonObject }[],
  ends: ReadonlySet<string>,
): Named {
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
