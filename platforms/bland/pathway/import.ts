import type { Path } from "../../../src/base/errors.ts";
import { isRecord, omit, own, recordAt, records } from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { nodeFacts } from "../traits/mod.ts";
import { agentRootOf, importAgentV2 } from "./agent.ts";
import { isGlobalEntry, recordIn, rootOf } from "./document.ts";
import { edgesBySource, readExits } from "./edges.ts";
import { foldParts } from "./fold.ts";
import { nodesIn, type RawNode, readNode } from "./read_node.ts";

const TITLE = "Bland pathway";
const HINT = 'Pass a pathway: an object with "nodes" and "edges"';

/** Keys of a node's data that are lists. */
const LISTS = ["extractVars", "routes", "responsePathways", "tools"];

/**
 * Imports a pathway as the dashboard exports it, as the API returns it, or as people write it.
 *
 * @throws {PlatformError} `unknown-shape` with the first problem.
 */
export function importPathway(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const root = rootOf(document);
  const agentRoot = root ? undefined : agentRootOf(document);
  if (agentRoot) return importAgentV2(document, agentRoot, report);
  if (!root) throw unknownShape(TITLE, 'it has no list "nodes"', ["nodes"], HINT);
  const body = recordIn(document, root);
  const entries: readonly unknown[] = Array.isArray(body.nodes) ? body.nodes : [];
  if (body.edges !== undefined && !Array.isArray(body.edges))
    throw unknownShape(
      TITLE,
      '"edges" is not a list',
      [...root, "edges"],
      'Make it a list of objects with "source" and "target"',
    );
  const nodes = nodesIn(entries);
  checkNodes(entries, nodes, [...root, "nodes"]);
  const entry = entryOf(nodes, body.edges);
  const ids = new Set(nodes.map(({ id }) => id));
  const { found, loose } = edgesBySource(body.edges, ids);
  const read = new Map(nodes.map((node) => [node.id, readExits(node, found.get(node.id) ?? [], ids)]));
  const { exits, parts, kept } = foldParts(nodes, read, entry);
  for (const [code, path, message, hint] of unreadParts(entries, nodes, loose))
    report({ code, severity: "warning", path: [...root, ...path], message, hint });
  const globalEntry = entries.find(isGlobalEntry);
  const global = globalEntry ? recordAt(globalEntry, "globalConfig").globalPrompt : body.globalPrompt;
  const lens = globalEntry || typeof body.globalPrompt !== "string" ? {} : { lens: { globalPrompt: "top" } };
  const settings = {
    ...omit(body, ["nodes", "edges", "name", ...(typeof global === "string" ? ["globalPrompt"] : [])]),
    ...lens,
  };
  return parseGraph({
    nodes: Object.fromEntries(
      nodes
        .filter(({ id }) => !parts.has(id))
        .map((node) => [node.id, readNode(node, exits.get(node.id) ?? [], ids, kept.get(node.id))]),
    ),
    entry_node_id: entry,
    source_type: "bland",
    source_metadata: {
      ...(typeof body.name === "string" && body.name !== "" ? { name: body.name } : {}),
      ...(typeof global === "string" ? { general_prompt: global } : {}),
      ...(Object.keys(settings).length > 0 ? { bland: settings } : {}),
    },
  });
}

/** Throws the first problem of the nodes. */
function checkNodes(entries: readonly unknown[], nodes: readonly RawNode[], path: Path): void {
  const fail = (state: string, hint: string, ...at: Path) => unknownShape(TITLE, state, [...path, ...at], hint);
  if (nodes.length === 0) throw fail("it has no node with an id", "Add the node where calls start");
  const wrong = entries.findIndex((entry) => !isRecord(entry));
  if (wrong >= 0) throw fail(`node ${wrong} is not an object`, 'Give it "id" and "type"', wrong);
  const seen = new Set<string>();
  for (const { id, raw, data, index } of nodes) {
    if (seen.has(id)) throw fail(`two nodes have the id "${id}"`, "Give each node a unique id", index, "id");
    seen.add(id);
    if (raw.data !== undefined && !isRecord(raw.data))
      throw fail(`"data" of node "${id}" is not an object`, 'Make it an object with "name"', index, "data");
    const key = LISTS.find((each) => (own(data, each) ?? null) !== null && !Array.isArray(data[each]));
    if (key) throw fail(`"${key}" of node "${id}" is not a list`, "Make it a list", index, "data", key);
  }
}

/** The start node; without a mark, the first node to which no edge leads. */
function entryOf(nodes: readonly RawNode[], edges: unknown): string {
  const targets = new Set(records(edges).map(({ target }) => target));
  const open = nodes.filter(({ data }) => data.isGlobal !== true);
  const marked = nodes.find(({ data }) => data.isStart === true) ?? open.find(({ id }) => !targets.has(id));
  return (marked ?? open[0] ?? nodes[0])?.id ?? "";
}

/** What is kept but not read: types of nodes that are not documented, edges that lead nowhere, other entries. */
function unreadParts(entries: readonly unknown[], nodes: readonly RawNode[], loose: readonly number[]) {
  const isNode = new Set(nodes.map(({ index }) => index));
  const others = [...entries.keys()].filter((index) => !isNode.has(index) && !isGlobalEntry(entries[index]));
  const kept = "It is kept as it is";
  const unknown = nodes.filter(({ type }) => nodeFacts(type) === undefined);
  return [
    ...unknown.map(
      ({ id, type, index }) =>
        [
          "unknown-node-type",
          ["nodes", index],
          `Node "${id}" has the type "${type}", which is not documented`,
          kept,
        ] as const,
    ),
    ...loose.map(
      (at) =>
        [
          "dangling-edge",
          ["edges", at],
          `Edge ${at} leads from or to a node that does not exist`,
          "Remove it, or add the node",
        ] as const,
    ),
    ...others.map((index) => ["unread-entry", ["nodes", index], `Entry ${index} of "nodes" has no id`, kept] as const),
  ];
}
