import { isRecord, type JsonObject, omit, own, pick, recordAt, records } from "../../../src/base/values/mod.ts";
import type { NodeType } from "../../../src/document/graph/mod.ts";
import {
  comparisonOf,
  isUnconditional,
  listOf,
  outcomeOf,
  type Row,
  readClause,
  readRow,
  toolRows,
} from "../traits/mod.ts";
import { isPill, nodeTypeOf, type RawNode } from "./read_node.ts";

/** Label of an edge for everything that the other edges do not name. */
export const ELSE_LABEL = "Anything else: none of the other conditions holds";
/** Label of an edge that is taken without asking, as the dashboard fills it in. */
export const PICK_LABEL = "Always Pick This Edge";
/** Label of the edge to a route that is a part of its node. */
export const LINK_LABEL = "always";
/** Name of a node that asks what a route has left open. */
export const ELSE_NAME = "Anything else";

/** Beginnings of the ids of nodes that are parts of others. */
export const ROUTE = "route_";
export const ELSE = "else_";

/** An edge of the document, and its place in the list. */
export interface RawEdge {
  readonly raw: JsonObject;
  readonly at: number;
  readonly target: string;
}

/** A way out of a node, before the nodes that belong together are one. */
export interface Exit extends JsonObject {
  readonly target_node_id: string;
  readonly condition: JsonObject & { readonly type: string };
  readonly metadata: { readonly bland: JsonObject };
}

/** Returns the edges by their source. Edges without both nodes are left out. */
export function edgesBySource(edges: unknown, ids: ReadonlySet<string>) {
  const found = new Map<string, RawEdge[]>();
  const loose: number[] = [];
  for (const [at, raw] of listOf(edges).entries()) {
    if (!isRecord(raw)) continue;
    const [source, target] = [raw.source, raw.target].map(String);
    if (source === undefined || target === undefined || !ids.has(source) || !ids.has(target)) loose.push(at);
    else found.set(source, [...(found.get(source) ?? []), { raw, at, target }]);
  }
  return { found, loose };
}

/** Reads the ways out of a node, in the order in which Bland tries them. */
export function readExits(node: RawNode, edges: readonly RawEdge[], ids: ReadonlySet<string>): readonly Exit[] {
  const ways = [...readRoutes(node, ids), ...readRows(node.data.responsePathways, ids)];
  const left: RawEdge[] = [];
  const drawn = new Map<number, RawEdge[]>();
  for (const edge of edges) {
    const at = ways.findIndex(({ target_node_id: target }) => target === edge.target);
    if (at < 0) left.push(edge);
    else drawn.set(at, [...(drawn.get(at) ?? []), edge]);
  }
  const shown = ways.map((way, index) => withEdges(way, drawn.get(index) ?? []));
  const type = nodeTypeOf(node);
  const waits = type === "conversation" && recordAt(node.data, "modelOptions").skipUserResponse !== true;
  const forwards =
    typeof node.data.forwardingNode === "string" && type === "logic" && ids.has(node.data.forwardingNode);
  const forward =
    forwards && !isPill(node)
      ? [exit(String(node.data.forwardingNode), { type: "always", value: "" }, { forwards: true })]
      : [];
  return [...readToolExits(node, ids), ...forward, ...shown, ...left.map((edge) => readEdge(edge, type, waits))];
}

function exit(target: string, condition: JsonObject & { readonly type: string }, lens: JsonObject): Exit {
  return { target_node_id: target, condition, metadata: { bland: { lens } } };
}

/** Keeps the edges that draw a way which is written elsewhere. */
function withEdges(way: Exit, edges: readonly RawEdge[]): Exit {
  if (edges.length === 0) return way;
  const drawn = edges.map(({ raw, at }) => ({ ...pick(raw, ["id"]), at }));
  return { ...way, metadata: { bland: { lens: { ...recordAt(way.metadata.bland, "lens"), drawn } } } };
}

function readRoutes({ data }: RawNode, ids: ReadonlySet<string>): readonly Exit[] {
  const routes = records(data.routes).flatMap((route): readonly Exit[] => {
    const { targetNodeId: to } = route;
    if (typeof to !== "string" || !ids.has(to)) return [];
    const comparisons = records(route.conditions).map(comparisonOf);
    const equations = comparisons.map(readClause);
    return [exit(to, { type: "equation", value: "", equations }, { comparisons })];
  });
  const { fallbackNodeId: to } = data;
  const isLeft = typeof to === "string" && ids.has(to);
  return [...routes, ...(isLeft ? [exit(to, { type: "always", value: "" }, { fallback: true })] : [])];
}

function readRows(rows: unknown, ids: ReadonlySet<string>): readonly Exit[] {
  const read = listOf(rows).flatMap((raw) => readRow(raw) ?? []);
  return read
    .filter(({ target }) => ids.has(target))
    .map((row) => exit(row.target, conditionOf(row), { row: keptRow(row) }));
}

/** What a row waits for. */
function conditionOf(row: Row, tool = ""): JsonObject & { readonly type: string } {
  const outcome = outcomeOf(row);
  if (outcome) return { type: "tool_call", value: tool, outcome };
  if (isUnconditional(row)) return tool === "" ? { type: "always", value: "" } : { type: "tool_call", value: tool };
  return { type: "equation", value: "", equations: [readClause(row)] };
}

/** Reads where the tools of a speaking node lead. */
function readToolExits(node: RawNode, ids: ReadonlySet<string>): readonly Exit[] {
  const tools = nodeTypeOf(node) === "conversation" ? records(node.data.tools) : [];
  return tools.flatMap((tool) =>
    toolRows(tool, ids).read.map((row) => exit(row.target, conditionOf(row, String(tool.name)), { row: keptRow(row) })),
  );
}

const keptRow = (row: Row): JsonObject => omit({ ...row }, ["target", "name"]);

/** Reads an edge. Its words are in its data, in authored files beside it. */
export function readEdge({ raw, at, target }: RawEdge, type: NodeType, waits: boolean): Exit {
  const data = recordAt(raw, "data");
  const [inside, beside] = [own(data, "label"), own(raw, "label")].map((each) => typeof each === "string");
  const label = String(data.label ?? raw.label ?? "");
  const description = [data.description, raw.description].find((each) => typeof each === "string" && each !== "");
  const picks = data.alwaysPick === true || raw.alwaysPick === true;
  const isElse = label === ELSE_LABEL;
  const timing = type !== "conversation" ? {} : { timing: picks && !waits ? "skip_response" : "else" };
  const place = beside ? { label: inside ? "both" : "top" } : {};
  const flags = { ...(picks ? { picks: label === LINK_LABEL ? "link" : true } : {}), ...place };
  return {
    target_node_id: target,
    condition: picks || isElse ? { type: "always", value: "" } : { type: "llm_prompt", value: label },
    ...(picks || isElse ? timing : {}),
    ...(description === undefined ? {} : { description }),
    metadata: { bland: { ...pick(raw, ["id"]), lens: { ...flags, at } } },
  };
}

/** What is known of an exit besides the graph. */
export const lensOf = ({ metadata }: Pick<Exit, "metadata">): JsonObject => recordAt(metadata.bland, "lens");
