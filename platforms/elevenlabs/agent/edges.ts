import type { Path } from "../../../src/base/errors.ts";
import {
  canonicalJson,
  groupBy,
  isRecord,
  type JsonObject,
  Names,
  omit,
  own,
  recordAt,
  sameJson,
} from "../../../src/base/values/mod.ts";
import type { AgentNode, Transition } from "../../../src/document/graph/mod.ts";
import { type LoweredGraph, transitionPath } from "../../lower/mod.ts";
import {
  editedTree,
  filled,
  isQuestion,
  lensOf,
  MERGED,
  OWNER,
  outcomeWords,
  readCondition,
  settingsOf,
  type TypeOfVariable,
  writeTree,
} from "../traits/mod.ts";
import type { ElevenLabsLosses } from "./losses.ts";

type Edges = { readonly [id: string]: JsonObject };
type Nodes = { readonly [id: string]: JsonObject };
type Way = "forward" | "backward";

/** One direction of an edge. */
export interface EdgeWay {
  readonly edge: string;
  readonly way: Way;
  readonly target: string;
  readonly condition: unknown;
}

/** Returns the edges that lead out of a node, in the order of `edge_order`; the others follow. */
export function waysOut(id: string, nodes: Nodes, edges: Edges): readonly EdgeWay[] {
  const { edge_order: order } = own(nodes, id) ?? {};
  const listed = Array.isArray(order) ? order.filter((each) => typeof each === "string") : [];
  return [...new Set([...listed, ...Object.keys(edges)])].flatMap((edge): EdgeWay[] => {
    const { source, target, forward_condition: forward, backward_condition: backward } = own(edges, edge) ?? {};
    if (typeof source !== "string" || typeof target !== "string") return [];
    if (!Object.hasOwn(nodes, source) || !Object.hasOwn(nodes, target)) return [];
    // an edge without any condition is what the API returns for one that is always taken
    const isForward = source === id && (forward != null || !isRecord(backward));
    return [
      ...(isForward ? [{ edge, way: "forward" as const, target, condition: forward }] : []),
      ...(target === id && isRecord(backward)
        ? [{ edge, way: "backward" as const, target: source, condition: backward }]
        : []),
    ];
  });
}

/** Labels of unconditional edges that are taken at another time than usual. */
const TIMES = { after_speech: "After speech", skip_response: "At once", else: "Else" } as const;

type Timing = keyof typeof TIMES;

/** What decides when an unconditional edge of a speaking node is taken. */
interface Moment {
  /** Whether the node speaks a fixed text and waits for no answer. */
  readonly isSaid: boolean;
  readonly isAlone: boolean;
  readonly targetSpeaksAtOnce: boolean;
}

function usualTiming({ isSaid, isAlone, targetSpeaksAtOnce }: Moment): Timing {
  if (isSaid) return targetSpeaksAtOnce ? "skip_response" : "after_speech";
  return isAlone ? "after_speech" : "else";
}

/** Reads the transitions of a node. */
export function readTransitions(id: string, nodes: Nodes, edges: Edges): readonly JsonObject[] {
  const ways = waysOut(id, nodes, edges);
  const node = own(nodes, id) ?? {};
  const listed = new Set(Array.isArray(node.edge_order) ? node.edge_order : []);
  return ways.flatMap(({ edge, way, target, condition }, place) =>
    readCondition(condition).map(({ condition: read, tree }, _, all) => {
      const { label, ...rest } = isRecord(condition) ? condition : {};
      const lens = {
        edge,
        way,
        to: target,
        ...(listed.has(edge) ? {} : { unlisted: place }),
        ...(typeof label === "string" && label !== MERGED ? { label } : {}),
        ...(tree === undefined ? {} : { words: canonicalJson(read), tree }),
        ...filled("rest", omit(rest, ["type", "condition", "successful", "expression"])),
        ...(all.length > 1 ? { merged: all.length } : {}),
      };
      const said = Object.entries(TIMES).find(([, words]) => words === label)?.[0];
      const isTimed = read.type === "always" && SPEAKING.includes(String(node.type));
      const timing = said ?? usualTiming(momentOf(node, own(nodes, target) ?? {}, ways.length === 1));
      return {
        target_node_id: target,
        condition: read,
        ...(isTimed && timing !== "after_speech" ? { timing } : {}),
        metadata: { [OWNER]: { lens } },
      };
    }),
  );
}

/** Types of nodes that speak and hear. */
export const SPEAKING = ["override_agent", "say"];

function momentOf(node: JsonObject, target: JsonObject, isAlone: boolean): Moment {
  const isAtOnce = target.entry_behavior === "generate_immediately" || !SPEAKING.includes(String(target.type));
  return {
    isSaid: node.type === "say" && node.wait_for_user_response !== true,
    isAlone,
    targetSpeaksAtOnce: isAtOnce || target.type === "say",
  };
}

/** A transition that is being written. */
interface Step {
  readonly node: AgentNode;
  readonly transition: Transition;
  readonly path: Path;
  readonly lens: JsonObject;
}

/** An edge that is being written. */
interface OpenEdge extends Record<Way, Step[]> {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/** The edges of a workflow, and the order of the edges of each node. */
export interface WrittenEdges {
  readonly edges: Edges;
  readonly orders: ReadonlyMap<string, readonly string[]>;
}

/** What edges need of the nodes that are written. */
export interface EdgeContext {
  readonly losses: ElevenLabsLosses;
  readonly isNative: boolean;
  readonly nodes: Nodes;
  /** Types of variables; none in a graph from ElevenLabs, whose values have types. */
  readonly typeOf?: TypeOfVariable;
  /** Ids that are taken. */
  readonly taken: readonly string[];
}

/**
 * Writes the transitions of a graph. Two nodes have at most one edge: the way back is its `backward_condition`, and
 * several transitions in one direction are alternatives of one expression. Edges of an imported document stay as they are.
 */
export function writeEdges(graph: LoweredGraph, context: EdgeContext): WrittenEdges {
  const steps = Object.values(graph.nodes).flatMap((node) =>
    node.transitions.flatMap((transition, index): Step[] => {
      const step = { node, transition, path: transitionPath(node, index), lens: lensOf(transition.metadata) };
      return own(graph.nodes, transition.target_node_id) ? [step] : [];
    }),
  );
  const pairOf = ({ node, transition }: Step) => JSON.stringify([node.id, transition.target_node_id].sort());
  const open = new Map<string, OpenEdge>();
  const pairs = new Map<string, OpenEdge[]>();
  const add = (step: Step, id: string, way: Way): OpenEdge => {
    const ends = [step.node.id, step.transition.target_node_id] as const;
    const [source, target] = way === "forward" ? ends : ([ends[1], ends[0]] as const);
    const edge = { id, source, target, forward: [], backward: [] };
    open.set(id, edge);
    pairs.set(pairOf(step), [...(pairs.get(pairOf(step)) ?? []), edge]);
    return edge;
  };
  const kept = steps.filter(({ lens }) => typeof lens.edge === "string");
  for (const [id, claims] of groupBy(kept, ({ lens }) => String(lens.edge))) {
    // an edge belongs to the pair of nodes that most of its transitions join; others have been retargeted or copied
    const inPlace = (group: Step[]) => group.filter(({ lens, transition }) => lens.to === transition.target_node_id);
    const byPair = [...groupBy(claims, pairOf).values()].sort(
      (a, b) => inPlace(b).length - inPlace(a).length || b.length - a.length,
    );
    const [first] = byPair[0] ?? [];
    if (first) add(first, id, first.lens.way === "backward" ? "backward" : "forward");
  }
  const names = new Names([...open.keys(), ...context.taken]);
  const orders = new Map<string, Set<string>>();
  const isOf = (step: Step, { source, target }: OpenEdge, way: Way) =>
    sameJson([step.node.id, step.transition.target_node_id], way === "forward" ? [source, target] : [target, source]);
  const wayIn = (step: Step, edge: OpenEdge): Way => (isOf(step, edge, "forward") ? "forward" : "backward");
  const ownEdge = (step: Step) => {
    const edge = open.get(String(step.lens.edge));
    return edge && (["forward", "backward"] as const).some((way) => step.lens.way === way && isOf(step, edge, way))
      ? edge
      : undefined;
  };
  const put = (step: Step, edge: OpenEdge) =>
    edge[ownEdge(step) === edge && step.lens.way === "backward" ? "backward" : wayIn(step, edge)].push(step);
  const chosen = new Map<Step, OpenEdge>();
  for (const step of steps) {
    const edge = ownEdge(step);
    if (!edge) continue;
    put(step, edge);
    chosen.set(step, edge);
  }
  for (const step of steps.filter((each) => !chosen.has(each))) {
    const known = pairs.get(pairOf(step)) ?? [];
    const free = known.find((edge) => edge[wayIn(step, edge)].length === 0) ?? known[0];
    const edge = free ?? add(step, names.take(`${step.node.id}_to_${step.transition.target_node_id}`), "forward");
    put(step, edge);
    chosen.set(step, edge);
  }
  for (const step of context.isNative ? steps : steps.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const edge = chosen.get(step);
    if (edge) reportPlace(step, edge, orders, context);
  }
  for (const { forward, backward } of open.values())
    for (const way of [forward, backward]) way.sort((a, b) => steps.indexOf(a) - steps.indexOf(b));
  const edges = [...open.values()].map((edge) => [edge.id, edgeJson(edge, context)] as const);
  const unlisted = (id: string, edge: string) =>
    steps.findLast(({ node, lens }) => node.id === id && String(lens.edge) === edge)?.lens.unlisted;
  return {
    edges: Object.fromEntries(edges),
    orders: new Map([...orders].map(([id, list]) => [id, withoutUnlisted([...list], (edge) => unlisted(id, edge))])),
  };
}

/** An order without the last edges that the document had outside of its `edge_order`, and that are still the last ones. */
function withoutUnlisted(order: readonly string[], placeOf: (edge: string) => unknown): readonly string[] {
  let length = order.length;
  for (let after = Number.POSITIVE_INFINITY; length > 0; length--) {
    const place = placeOf(order[length - 1] ?? "");
    if (typeof place !== "number" || place >= after) break;
    after = place;
  }
  return order.slice(0, length);
}

/** A call asks the model only if no equation and no outcome of a tool holds; ElevenLabs follows the order of edges. */
function rankOf({ transition: { condition } }: Step): number {
  if (condition.type === "equation" || condition.type === "tool_call") return 0;
  return condition.type === "llm_prompt" ? 1 : 2;
}

/** Adds an edge to the order of a node. Reports a transition that is decided earlier than in the graph. */
function reportPlace(step: Step, edge: OpenEdge, orders: Map<string, Set<string>>, { losses }: EdgeContext): void {
  const { node, transition, path, lens } = step;
  const order = orders.get(node.id) ?? new Set();
  orders.set(node.id, order);
  const message = `An edge leads to "${transition.target_node_id}" already, and ElevenLabs takes one for a pair of nodes`;
  if (order.has(edge.id) && [...order].at(-1) !== edge.id)
    losses.add("merged-order", path, message, "one edge, at the place of the first");
  order.add(edge.id);
  const alternatives = [edge.forward, edge.backward].find((each) => each.includes(step)) ?? [];
  if (lens.merged !== undefined && (edge.id !== lens.edge || alternatives.length !== lens.merged))
    losses.add("merged-transitions", path, "Its edge had several alternatives", "edges that are written anew");
}

function edgeJson({ source, target, forward, backward }: OpenEdge, context: EdgeContext): JsonObject {
  const back = backward.length > 0 ? { backward_condition: conditionJson(backward, context) } : {};
  return { source, target, forward_condition: conditionJson(forward, context), ...back };
}

function conditionJson(steps: readonly Step[], context: EdgeContext): JsonObject | null {
  const [first, ...others] = steps;
  if (!first) return null;
  if (others.length === 0) return singleJson(first, context);
  const children = steps.map((each) => treeOf(each, context));
  const label = children.some(({ type }) => type === "llm") ? first.lens.label : MERGED;
  const expression = { type: "or_operator", children };
  const rest = Object.assign({}, ...steps.map(({ lens }) => lens.rest));
  return { ...rest, ...(label === undefined ? {} : { label }), type: "expression", expression };
}

/** The expression that a transition was read from, if its condition is the same. */
function keptTree({ transition: { condition }, lens }: Step): JsonObject | undefined {
  return isRecord(lens.tree) && canonicalJson(condition) === lens.words ? lens.tree : undefined;
}

/** Writes a condition as a part of an expression. */
function treeOf(step: Step, { losses, typeOf }: EdgeContext): JsonObject {
  const { condition } = step.transition;
  const lose = (
    code: "merged-transitions" | "operator" | "operator-words" | "tool-condition",
    message: string,
    instead: string,
  ) => losses.add(code, step.path, message, instead);
  const kept = keptTree(step);
  if (kept) return kept;
  const { tree, inWords, never } = writeTree(condition, typeOf);
  const asked = "a question that the model answers";
  for (const { left, operator } of inWords)
    lose("operator-words", `ElevenLabs' expressions cannot say "${operator}" of "${left}" and this value`, asked);
  for (const { left, operator, right } of never) {
    const message = `ElevenLabs does not support the operator "${operator}", and an equation with it is never true`;
    lose("operator", `${message}: ${left} ${operator} ${String(right ?? "")}`, "an expression that is false");
  }
  if (condition.type === "always")
    lose("merged-transitions", "The edge has another condition, too, and no timing", "an edge that is always taken");
  if (condition.type === "tool_call") lose("tool-condition", "An expression cannot ask for a tool's outcome", asked);
  return editedTree(step.lens.tree, tree);
}

function singleJson(step: Step, context: EdgeContext): JsonObject {
  const { node, transition, path, lens } = step;
  const { condition, timing, metadata } = transition;
  const label = lens.label === undefined ? {} : { label: lens.label };
  const head = { ...recordAt(lens, "rest"), ...label, ...settingsOf(metadata) };
  const isTree = condition.type === "equation" || (condition.type === "llm_prompt" && isQuestion(lens.tree));
  const tree = keptTree(step) ?? (isTree ? treeOf(step, context) : undefined);
  if (tree) return { ...head, type: "expression", expression: tree };
  if (condition.type === "tool_call") {
    const isOther = !context.isNative && condition.value && condition.value !== node.tools[0]?.name;
    if (node.node_type !== "function" || isOther) {
      const message = "Only tool nodes have edges for the outcome of a tool, the one that they run";
      context.losses.add("tool-condition", path, message, "an LLM condition in words");
      return { ...head, type: "llm", condition: outcomeWords(condition.value, condition.outcome) };
    }
    if (condition.outcome) return { ...head, type: "result", successful: condition.outcome === "succeeded" };
  }
  if (condition.type === "llm_prompt") return { ...head, type: "llm", condition: condition.value };
  if (node.node_type !== "conversation") return { ...head, type: "unconditional" };
  const target = own(context.nodes, transition.target_node_id) ?? {};
  const moment = momentOf(own(context.nodes, node.id) ?? {}, target, node.transitions.length === 1);
  const wanted = timing ?? "after_speech";
  if (!moment.isSaid && wanted !== "else")
    context.losses.add(
      "always-timing",
      path,
      "When an unconditional edge of a subagent is taken is not documented",
      "such an edge",
    );
  const isOurs = Object.values<unknown>(TIMES).includes(lens.label);
  const timed =
    usualTiming(moment) === wanted ? (isOurs ? omit(head, ["label"]) : head) : { ...head, label: TIMES[wanted] };
  return { ...timed, type: "unconditional" };
}
