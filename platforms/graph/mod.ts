import { isRecord, jsonText, sameJson } from "../../src/base/values/mod.ts";
import { type AgentGraph, originalOf, parseGraph, withOriginal } from "../../src/document/graph/mod.ts";
import { type Direction, putBack } from "../lens/mod.ts";
import type { Format } from "../platform.ts";

const FORMAT = "graph";
/** Keys of nodes that documents of other tools do not have. */
const NODE_KEYS = ["state_prompt", "transitions", "variables_to_extract"];

/** The AgentGraph document itself, as in `*.callweave.json` and `*.vt.json` files. */
export const graph: Format<typeof FORMAT> = {
  name: FORMAT,
  title: "AgentGraph document (*.callweave.json)",
  detect: detectGraph,
  importDocument: importGraph,
  emitGraph: (graph) => ({ config: inOrder(putBack(graph, PLAIN)?.config ?? graph, graph), losses: [] }),
};

/** Reads and writes graphs with all keys; the merge omits those that the imported document lacked. */
const PLAIN: Direction<never> = {
  name: FORMAT,
  shape: { keys: ["id", "name"] },
  read: parseGraph,
  write: (graph) => ({ config: graph, losses: [] }),
};

/**
 * Reads an AgentGraph document, and keeps it with the graph if it lacks keys. A complete document equals its graph and
 * is not kept. A saved graph already contains the document that it was imported from, which is kept instead.
 *
 * @throws {GraphError} Lists every problem in `issues`; see `parseGraph`.
 */
function importGraph(document: unknown): AgentGraph {
  const graph = parseGraph(document);
  if (originalOf(graph) || sameJson(document, graph)) return graph;
  return withOriginal(graph, { format: FORMAT, text: jsonText(document) });
}

/** Sorts the nodes like those of the graph, because {@link putBack} reorders lists but not the keys of objects. */
function inOrder(document: unknown, graph: AgentGraph): unknown {
  if (!isRecord(document) || !isRecord(document.nodes)) return document;
  const { nodes } = document;
  const ids = Object.keys(graph.nodes).filter((id) => Object.hasOwn(nodes, id));
  const isMoved = Object.keys(nodes).some((id, index) => id !== ids[index]);
  return isMoved ? { ...document, nodes: Object.fromEntries(ids.map((id) => [id, nodes[id]])) } : document;
}

/** Returns the likelihood that a document is an AgentGraph: it has nodes by id and an entry node. */
function detectGraph(document: unknown): number {
  if (!isRecord(document) || !isRecord(document.nodes)) return 0;
  if (Object.hasOwn(document, "entry_node_id")) return 1;
  return Object.values(document.nodes).some(
    (node) => isRecord(node) && NODE_KEYS.some((key) => Object.hasOwn(node, key)),
  )
    ? 0.2
    : 0;
}
