import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { dropAt } from "../shared/mod.ts";
import { findEntry, nameOf, namesOf, placeNodes } from "./import.ts";

/** What edges may call a node: the first is how a new one does. */
export type Names = ReadonlyMap<string, readonly string[]>;

/** An item of the list of nodes: one with its id in the graph, or what is no node and has none. */
export interface Settled {
  readonly id?: string;
  readonly json: unknown;
}

/** A name that is given can take another node's number away; nodes of one name are few. */
const MAX_PASSES = 4;

/**
 * Names nodes where they would be read back under another id, or where an edge could not tell them from another node of
 * the same name. All others keep the names that they have.
 *
 * @param ends The nodes that edges lead from or to.
 */
export function settleNames(
  listed: readonly Settled[],
  ends: ReadonlySet<string>,
): { readonly nodes: readonly Settled[]; readonly names: Names } {
  let nodes = listed;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const names = namesIn(nodes);
    const read = idsIn(nodes);
    const isRight = ({ id }: Settled, index: number) =>
      id === undefined || (read.get(index) === id && (!ends.has(id) || names.has(id)));
    if (nodes.every(isRight)) return { nodes, names };
    nodes = nodes.map((item, index) => {
      if (item.id === undefined || !isRecord(item.json) || isRight(item, index)) return item;
      return { ...item, json: named(item.json, item.id) };
    });
  }
  return { nodes, names: namesIn(nodes) };
}

/** A node under another name, which is written where it had one. */
export function named(json: JsonObject, name: string): JsonObject {
  return { ...json, [typeof json.name === "string" || typeof json.id !== "string" ? "name" : "id"]: name };
}

/** Marks the node where a call starts, when it would not be found without: edges that were edited can hide it. */
export function settleStart(nodes: readonly Settled[], edges: readonly unknown[], entry: string): readonly Settled[] {
  const placed = placeNodes(nodes.map(({ json }) => json));
  const found = findEntry(placed, { edges });
  if (found === undefined || nodes[found.index]?.id === entry) return nodes;
  return nodes.map(({ id, json }) => {
    if (id === undefined || !isRecord(json)) return { json };
    if (id === entry) return { id, json: { ...json, isStart: true } };
    return { id, json: json.isStart === true ? dropAt(json, ["isStart"]) : json };
  });
}

/** The ids under which the nodes will be read, by their places. */
function idsIn(nodes: readonly Settled[]): ReadonlyMap<number, string> {
  return new Map(placeNodes(nodes.map(({ json }) => json)).map(({ index, id }) => [index, id]));
}

/** The names by which edges find each node. */
function namesIn(nodes: readonly Settled[]): Names {
  const placed = placeNodes(nodes.map(({ json }) => json));
  const byName = namesOf(placed);
  const entries = placed.flatMap(({ raw, index, id: read }) => {
    const id = nodes[index]?.id;
    const names = [nameOf(raw, index), raw.id].filter(
      (name): name is string => typeof name === "string" && byName.get(name) === read,
    );
    return id === undefined || names.length === 0 ? [] : [[id, names] as const];
  });
  return new Map(entries);
}
