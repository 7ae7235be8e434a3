import {
  freeName,
  isRecord,
  type JsonObject,
  omit,
  own,
  quotedList,
  recordAt,
  sameJson,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Transition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import type { Loss } from "../../platform.ts";
import { isText } from "../shared/mod.ts";
import { endNames } from "./conditions.ts";
import { globalAt } from "./read_node.ts";
import { readVariables } from "./variables.ts";

/**
 * Returns the workflow node that an imported extract node belongs to. `undefined` if the extract node was edited to do
 * more than extract: it is then emitted as a node of its own.
 */
export function ownerOf(node: AgentNode, graph: AgentGraph): string | undefined {
  const [only, ...others] = node.transitions;
  const target = only && own(graph.nodes, only.target_node_id);
  const isChained = target !== undefined && markOf(target) !== undefined;
  const leadsOn = others.length === 0 && only?.condition.type === "always" && !isChained;
  const isBare = node.state_prompt === "" && node.tools.length === 0 && !node.global_node_setting;
  const extracts = node.node_type === "extract" && node.id !== graph.entry_node_id;
  return leadsOn && isBare && extracts ? markOf(node) : undefined;
}

/** Returns the node that the importer created an extract node for. */
function markOf(node: AgentNode): string | undefined {
  const { of: owner } = recordAt(node.metadata, "vapi");
  return typeof owner === "string" ? owner : undefined;
}

/** Returns the target of a transition if the importer inserted it to extract variables. */
function standInAt({ target_node_id: id }: Transition, graph: AgentGraph): AgentNode | undefined {
  const target = own(graph.nodes, id);
  return target && ownerOf(target, graph) !== undefined ? target : undefined;
}

/** Returns the target of a transition in the document, skipping an inserted extract node. */
export function targetOf(transition: Transition, graph: AgentGraph): string {
  return standInAt(transition, graph)?.transitions[0]?.target_node_id ?? transition.target_node_id;
}

/** Returns the variables that a node extracts: those of the extract nodes after it, preferably an edited list. */
export function variablesOf(node: AgentNode, graph: AgentGraph): readonly VariableExtraction[] {
  const before = readVariables(recordAt(node.metadata, "vapi"));
  const behind = node.transitions.map((transition) => standInAt(transition, graph)?.variables_to_extract ?? []);
  const lists = [node.variables_to_extract, ...behind].filter((list) => list.length > 0);
  return lists.find((list) => !sameJson(list, before)) ?? lists[0] ?? [];
}

/** Reports inserted extract nodes with different variables: a node extracts the same variables on every edge. */
export function extractionLosses(
  node: AgentNode,
  graph: AgentGraph,
  variables: readonly VariableExtraction[],
): readonly Loss[] {
  const behind = node.transitions.map((transition) => standInAt(transition, graph));
  if (behind.every((standIn) => standIn === undefined)) return [];
  const names = quotedList(variables.map(({ name }) => name)) || "no variables";
  return behind.flatMap((standIn, index): Loss[] => {
    if (sameJson(standIn?.variables_to_extract ?? [], variables)) return [];
    return [
      {
        code: "extraction-timing",
        kind: "emulated",
        path: ["nodes", node.id, "transitions", index],
        message: "A node of a workflow extracts the same variables on all transitions",
        instead: `extraction of ${names} on this transition`,
        hint: "Extract the same variables on all transitions, or emit vapi-squad instead",
      },
    ];
  });
}

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
