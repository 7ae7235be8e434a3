import { isRecord, type JsonObject, omit, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentNode, Transition } from "../../../src/document/graph/mod.ts";
import { transitionPath } from "../../lower/mod.ts";
import {
  type Comparison,
  isUnconditional,
  outcomeOf,
  type Row,
  readClause,
  SILENT,
  STATUS,
  writeClause,
  writeRow,
} from "../traits/mod.ts";
import { ELSE, ELSE_LABEL, ELSE_NAME, LINK_LABEL, PICK_LABEL, ROUTE } from "./edges.ts";
import type { Lose } from "./losses.ts";
import { lensIn, ownOf, typeFor } from "./write_node.ts";

/** What exits need to know of the whole document. */
export interface ExitContext {
  /** Whether the graph was imported from a pathway. */
  readonly native: boolean;
  readonly lose: Lose;
  /** Name of a node in the document. */
  readonly nameOf: (id: string) => string;
  /** Returns a free id of a node: the wanted one, or with a number. */
  readonly take: (wanted: string) => string;
}

/** An edge to write, and its place in the imported document. */
export interface NewEdge {
  readonly source: string;
  readonly target: string;
  readonly at?: number;
  /** `null`: imported without an id. Absent: it gets one. */
  readonly id?: unknown;
  /** Absent for an edge that only draws what is written elsewhere. */
  readonly words?: JsonObject;
  readonly place?: unknown;
}

/** The exits of a node: keys of its data, edges, and nodes that are parts of it. */
export interface WrittenExits {
  readonly data: JsonObject;
  readonly edges: readonly NewEdge[];
  readonly parts: readonly JsonObject[];
  /** Whether the node is left without waiting for the caller. */
  readonly skips: boolean;
  /** Rows of the node's own tools, by the place of the tool. */
  readonly toolRows: ReadonlyMap<number, readonly unknown[]>;
}

type Written = Pick<WrittenExits, "data" | "edges" | "parts">;

interface Way extends Transition {
  readonly path: readonly (string | number)[];
}

interface Ways {
  readonly equations: readonly Way[];
  readonly texts: readonly Way[];
  readonly always: Way | undefined;
}

/** Whether a node is written as one that says nothing and is left at once. */
export function isWrittenPill(node: AgentNode): boolean {
  if (node.node_type !== "logic") return node.node_type === "extract";
  const { routes, forwards } = lensIn(node);
  const compares = node.transitions.some(({ condition }) => condition.type === "equation");
  return typeFor(node) === "Route" && routes !== true && forwards !== true && !compares;
}

/** Writes the exits of a node. */
export function writeExits(node: AgentNode, context: ExitContext): WrittenExits {
  const { lose } = context;
  const type = node.node_type;
  const all = node.transitions.map((each, index): Way => ({ ...each, path: transitionPath(node, index) }));
  const of = (kind: string) => all.filter(({ condition }) => condition.type === kind);
  const [calls, texts, given, unasked] = [of("tool_call"), of("llm_prompt"), of("equation"), of("always")];
  const sooner = type === "conversation" ? unasked.find(({ timing }) => timing !== "else") : undefined;
  const always = sooner ?? unasked[0];
  for (const { path } of unasked.filter((each) => each !== always)) lose("edge-taken", path);
  const isOver = type === "end" || type === "transfer";
  const lost = [...(isOver ? given : []), ...(type === "function" || type === "conversation" ? [] : calls)];
  for (const way of lost) lose("no-edge", way.path, wordsOf(way));
  const isNever = (way: Way) => (way.condition.equations ?? []).length === 0 && lensIn(way).comparisons === undefined;
  for (const way of given.filter((each) => sooner !== undefined || isNever(each)))
    lose("unreachable", way.path, wordsOf(way));
  for (const { path, description } of [...given, ...calls])
    if (description) lose("description", [...path, "description"], description);
  const skips = sooner?.timing === "skip_response" || isWrittenPill(node);
  if (sooner && !skips) lose("transition-timing", sooner.path);
  const equations = sooner || isOver ? [] : given.filter((each) => !isNever(each));
  const toolRows = type === "conversation" ? rowsOfTools(node, calls, context) : new Map<number, readonly unknown[]>();
  return { ...waysOut(node, all, { equations, texts, always }, context), skips, toolRows };
}

function waysOut(node: AgentNode, all: readonly Way[], ways: Ways, context: ExitContext): Written {
  const { node_type: type, id } = node;
  const { equations, texts, always } = ways;
  const isSimple = ({ condition: { equations: list, logical_operator: joint } }: Way) =>
    (list?.length ?? 0) < 2 || joint === "or";
  if (type === "logic" && !isWrittenPill(node) && typeFor(node) === "Route") return routed(node, id, ways, context);
  if (type === "function" && equations.every(isSimple)) return answered(node, all, ways, context);
  if (equations.length > 0) return behind(node, all, ways, context);
  const forwards = always && lensIn(always).forwards === true;
  const asked = all.filter((way) => texts.includes(way) || (way === always && !forwards));
  const isAlone = (way: Way) => texts.length === 0 || (type === "conversation" && way.timing !== "else");
  const edges = asked.map((way) => edgeOf(id, way, isAlone(way), node, context));
  return { data: forwards ? { forwardingNode: always.target_node_id } : {}, edges, parts: [] };
}

const clauseWords = ({ left, operator, right }: { left: string; operator: string; right?: unknown }) =>
  `${left} ${operator} ${String(right ?? "")}`;

function wordsOf({ condition, description }: Transition): string {
  const { type, value, outcome, equations } = condition;
  return [type, value, outcome, description, ...(equations ?? []).map(clauseWords)].filter(Boolean).join(" ");
}

/** Writes a transition as an edge. `isAlone`: it is taken without asking if it has no condition. */
function edgeOf(source: string, way: Way, isAlone: boolean, node: AgentNode, { native, lose }: ExitContext): NewEdge {
  const { picks: picked, at, label: place } = lensIn(way);
  const { id, ...own } = omit(ownOf(way), ["lens"]);
  const isAsked = way.condition.type === "llm_prompt";
  const picks = !isAsked && (picked !== undefined || isAlone);
  if (!isAsked && !picks && !native && node.node_type === "conversation") lose("else", way.path);
  const label = isAsked ? way.condition.value : picks ? PICK_LABEL : ELSE_LABEL;
  const words = { ...own, label, ...(way.description ? { description: way.description } : {}) };
  return {
    ...{ source, target: way.target_node_id, words: picks ? { ...words, alwaysPick: true } : words },
    ...(typeof at === "number" ? { at, id: id ?? null } : id === undefined ? {} : { id }),
    ...(place === undefined ? {} : { place }),
  };
}

/** Edges of the imported document that draw ways which are written elsewhere. */
function drawn(source: string, ways: readonly (Way | undefined)[]): readonly NewEdge[] {
  return ways.flatMap((way) =>
    records(way && lensIn(way).drawn).map(({ id, at }) => ({
      ...{ source, target: way?.target_node_id ?? "", id: id ?? null, at: Number(at) },
    })),
  );
}

/** Writes the routes of a node, and its fallback. `back`: where a call goes if no route and no edge fits. */
function routed(owner: AgentNode, id: string, ways: Ways, context: ExitContext, back?: string): Written {
  const { equations, texts, always } = ways;
  const { rest: kept } = recordAt(lensIn(owner), "parts");
  const direct = context.native && back === undefined && kept === undefined;
  const routes = equations.flatMap((way) => routesOf(way, context));
  const edges = drawn(id, [...equations, always]);
  const isAsked = texts.length > 0 && !direct;
  if (always?.description && !isAsked) context.lose("description", [...always.path, "description"], always.description);
  if (!isAsked) {
    const isEdge = always !== undefined && lensIn(always).picks !== undefined && direct;
    const to = isEdge ? undefined : (always?.target_node_id ?? back);
    const more = [...texts, ...(isEdge ? [always] : [])].map((way) => edgeOf(id, way, false, owner, context));
    return {
      data: { routes, ...(to === undefined ? {} : { fallbackNodeId: to }) },
      edges: [...edges, ...more],
      parts: [],
    };
  }
  const rest = context.take(`${ELSE}${owner.id}`);
  const asks = [...texts, ...(always ? [always] : [])].map((way) =>
    edgeOf(rest, way, false, { ...owner, node_type: "logic" }, context),
  );
  const returns = always || back === undefined ? [] : [{ source: rest, target: back, words: { label: ELSE_LABEL } }];
  const data = { name: ELSE_NAME, text: SILENT, modelOptions: { skipUserResponse: true } };
  return {
    data: { routes, fallbackNodeId: rest },
    edges: [...edges, ...asks, ...returns],
    parts: [{ id: rest, type: "Default", data }],
  };
}

/** Writes a route behind a node. */
function behind(node: AgentNode, all: readonly Way[], ways: Ways, context: ExitContext): Written {
  const speaks = node.node_type === "conversation";
  const id = context.take(`${ROUTE}${node.id}`);
  const { route = id } = recordAt(lensIn(node), "parts");
  for (const { path } of speaks ? [...ways.equations, ...(ways.always ? [ways.always] : [])] : [])
    context.lose("equation", path);
  const edge = { source: node.id, target: id, words: { label: LINK_LABEL, alwaysPick: true } };
  const calls = node.node_type === "function" ? all.filter(({ condition }) => condition.type === "tool_call") : [];
  const open = calls.filter(({ condition }) => !condition.outcome);
  for (const { path } of open) context.lose(ways.always ? "edge-taken" : "tool-condition", path);
  const { data, edges, parts } = routed(
    node,
    id,
    { ...ways, always: ways.always ?? open[0] },
    context,
    speaks ? node.id : undefined,
  );
  const first = all.findIndex((way) => ways.equations.includes(way));
  const asked = calls.filter((way) => !open.includes(way));
  for (const way of asked.filter((each) => all.indexOf(each) > first)) context.lose("outcome-first", way.path);
  const rows = asked.flatMap((way) => rowsFor(node, way, context));
  return {
    data: rows.length > 0 ? { responsePathways: rows } : {},
    edges: [edge, ...edges],
    parts: [{ id, type: "Route", data: { name: route, ...data } }, ...parts],
  };
}

/** Writes an equation as routes: one for all comparisons, or one for each of several alternatives. */
function routesOf(way: Way, context: ExitContext): readonly JsonObject[] {
  const { target_node_id: targetNodeId } = way;
  const conditions = comparisonsOf(way, context).map(({ field, operator, value }) => ({ field, operator, value }));
  if (way.condition.logical_operator !== "or" || conditions.length < 2) return [{ conditions, targetNodeId }];
  context.lose("equation-list", way.path);
  return conditions.map((condition) => ({ conditions: [condition], targetNodeId }));
}

function comparisonsOf(way: Way, { lose }: ExitContext): readonly Comparison[] {
  const { comparisons, row } = lensIn(way);
  const before = Array.isArray(comparisons) ? comparisons : [row];
  return (way.condition.equations ?? []).map((clause, index) => {
    const known: unknown = before[index];
    const written = writeClause(clause, isComparison(known) ? known : undefined);
    const back = readClause(written);
    const isUnary = back.operator === "exists" || back.operator === "not_exist";
    const isSame = back.left === clause.left && back.operator === clause.operator;
    const path = [...way.path, "condition", "equations", index];
    if (!isSame || !(isUnary || sameJson(back.right, clause.right))) lose("equation-words", path, clauseWords(clause));
    return written;
  });
}

const isComparison = (value: unknown): value is JsonObject & Comparison =>
  isRecord(value) && typeof value.field === "string" && typeof value.operator === "string";

/** Writes the exits of a node that sends a request: rows for its answer, then edges. */
function answered(
  node: AgentNode,
  all: readonly Way[],
  { texts, equations, always }: Ways,
  context: ExitContext,
): Written {
  const isAny = (way: Way) =>
    way.condition.type === "tool_call" && !way.condition.outcome && lensIn(way).row === undefined;
  const isRow = (way: Way) =>
    way.condition.type === "tool_call" || equations.includes(way) || (way === always && isRecord(lensIn(way).row));
  const listed = all.filter((way) => isRow(way) && !isAny(way));
  const asked = all.filter((way) => texts.includes(way) || isAny(way) || (way === always && !isRow(way)));
  for (const way of asked.filter(isAny)) context.lose("tool-condition", way.path, wordsOf(way));
  const rows = listed.flatMap((way) => rowsFor(node, way, context));
  const edges = asked.map((way) => edgeOf(node.id, way, texts.length === 0, node, context));
  return {
    data: rows.length > 0 ? { responsePathways: rows } : {},
    edges: [...drawn(node.id, listed), ...edges],
    parts: [],
  };
}

/** Writes rows for a transition that waits for the answer of a request. */
function rowsFor(node: AgentNode, way: Way, context: ExitContext): readonly unknown[] {
  const { condition, target_node_id: target } = way;
  if (condition.type === "tool_call" && condition.value !== "") {
    const isOwn = condition.value === node.tools[0]?.name;
    if (isOwn) context.lose("tool-condition", way.path, wordsOf(way));
    else context.lose("no-edge", way.path, wordsOf(way));
    if (!isOwn) return [];
  }
  const row = rowOf(way, "pair");
  const comparisons = condition.type === "equation" ? comparisonsOf(way, context) : [row];
  if (comparisons.length > 1) context.lose("equation-list", way.path);
  return comparisons.map(({ field, operator, value }) =>
    writeRow({ ...row, field, operator, value, target, name: context.nameOf(target) }),
  );
}

/** The row that a transition had, if it still says the same; else a new one in the same spelling. */
function rowOf(way: Way, usual: Row["spelling"]): Omit<Row, "target"> {
  const row = recordAt(lensIn(way), "row");
  const { type, outcome } = way.condition;
  const spelling = (["pair", "node", "skewed", "target"] as const).find((each) => each === row.spelling) ?? usual;
  const like = { spelling, rest: recordAt(row, "rest") };
  const isSame =
    isComparison(row) && (outcome ? outcomeOf(row) === outcome : type === "equation" || isUnconditional(row));
  if (isSame) return { ...like, field: row.field, operator: row.operator, value: row.value };
  if (!outcome) return { ...like, field: "default", operator: "", value: "" };
  return { ...like, field: STATUS, operator: outcome === "failed" ? ">=" : "<", value: "400" };
}

/** Writes where the tools of a speaking node lead. */
function rowsOfTools(node: AgentNode, calls: readonly Way[], context: ExitContext): Map<number, readonly unknown[]> {
  const rows = new Map<number, readonly unknown[]>();
  let last = 0;
  for (const way of calls) {
    const { value } = way.condition;
    const found = node.tools.flatMap((tool, index) => (value === "" || tool.name === value ? [index] : []));
    if (found.length === 0) context.lose("no-edge", way.path, wordsOf(way));
    else if (value === "") context.lose("tool-condition", way.path, wordsOf(way));
    else if ((found[0] ?? 0) < last) context.lose("tool-order", way.path, wordsOf(way));
    last = Math.max(last, ...found);
    const target = way.target_node_id;
    const row = writeRow({ ...rowOf(way, "node"), target, name: context.nameOf(target) });
    for (const index of found) rows.set(index, [...(rows.get(index) ?? []), row]);
  }
  return rows;
}
