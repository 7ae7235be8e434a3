import type { Path } from "../../../src/errors.ts";
import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { type Kept, kept, retellTables, wasAbsent } from "../shared/mod.ts";
import { getCondition, putCondition, sameCondition } from "./condition.ts";
import { type LooseEdge, saysSlot, usualPlace } from "./edges.ts";
import type { EmitContext } from "./emit_context.ts";
import { loss } from "./losses.ts";
import { edgeCondition, SLOTS, type Slot, type TypeFacts } from "./node_types.ts";

/** A transition with the slots that it fills and the condition that it is written with. */
interface Placed {
  readonly transition: Transition;
  readonly slots: readonly Slot[];
}

/** Writes all edges of a node: what its transitions say, and in their places the edges that lead nowhere. */
export function writeEdges(node: AgentNode, facts: TypeFacts, { lens, own }: Kept, context: EmitContext): JsonObject {
  const edges: JsonObject[] = [];
  const special = new Map<Slot, JsonObject>();
  const loose = looseEdges(lens.loose);
  for (const [index, original] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    if (original.description) context.lose(loss("transition-description", path));
    if (!canHold(original.condition, path, context)) continue;
    const { transition, slots } = place(node, original, facts, special, path, context);
    for (const slot of slots) {
      if (slot === "edges") edges.push(writeEdge(transition, slot, node, context));
      else if (special.has(slot)) context.lose(loss("edge-taken", path, edgeCondition(slot)));
      else special.set(slot, writeEdge(transition, slot, node, context, loose));
    }
  }
  for (const { slot, edge } of loose)
    if (slot !== "edges" && isRecord(edge) && !special.has(slot)) special.set(slot, edge);
  for (const slot of facts.required) {
    if (special.has(slot) || wasAbsent(lens, slot) || Object.hasOwn(own, slot)) continue;
    const id = context.edgeIds.next(node.id, wordOf(slot));
    special.set(slot, { id, transition_condition: { type: "prompt", prompt: edgeCondition(slot) } });
  }
  const list = insertLoose(edges, loose);
  const written = list.length > 0 || (facts.slots.includes("edges") && !wasAbsent(lens, "edges"));
  const listed = written && !(list.length === 0 && Object.hasOwn(own, "edges")) ? { edges: list } : {};
  return { ...listed, ...Object.fromEntries(special) };
}

/** Where a transition goes at Retell, in which form; every difference is said. */
function place(
  node: AgentNode,
  transition: Transition,
  facts: TypeFacts,
  taken: ReadonlyMap<Slot, unknown>,
  path: Path,
  context: EmitContext,
): Placed {
  const { lens } = kept(transition.metadata);
  const told = SLOTS.find((slot) => slot === lens.slot);
  if (told && saysSlot(told, node.node_type, transition)) return { transition, slots: [told] };

  const { slots, lost } = usualPlace(transition, facts);
  const free = slots.length > 1 ? slots.filter((slot) => !taken.has(slot)) : slots;
  if (lost !== undefined || free.length === 0) context.lose(loss(lost ?? "edge-taken", path));
  if (lost !== "tool-condition") return { transition, slots: free };
  return { transition: { ...transition, condition: inWords(transition.condition) }, slots: free };
}

/** Whether the equations can hold at Retell; one that cannot is never true, so that its edge would never be taken. */
export function canHold(
  { type, equations, logical_operator: operator }: Transition["condition"],
  path: Path,
  context: EmitContext,
): boolean {
  if (!context.foreign || type !== "equation") return true;
  const unknown = (equations ?? []).filter((clause) => !retellTables().operators.includes(clause.operator));
  for (const clause of unknown) context.lose(loss("operator", path, `"${clause.operator}"`));
  return unknown.length === 0 || (operator === "or" && unknown.length < (equations ?? []).length);
}

/** A condition without the equations of an `or` that Retell does not know. */
export function known(condition: Transition["condition"], { foreign }: EmitContext): Transition["condition"] {
  if (!foreign || condition.type !== "equation") return condition;
  return {
    ...condition,
    equations: (condition.equations ?? []).filter(({ operator }) => retellTables().operators.includes(operator)),
  };
}

function inWords({ value, outcome }: Transition["condition"]): Transition["condition"] {
  const tool = value === "" ? "The function" : `The function "${value}"`;
  const what =
    outcome === "succeeded"
      ? "was called and succeeded"
      : outcome === "failed"
        ? "was called and failed"
        : "was called";
  return { type: "llm_prompt", value: `${tool} ${what}` };
}

function writeEdge(
  transition: Transition,
  slot: Slot,
  node: AgentNode,
  context: EmitContext,
  loose: readonly LooseEdge[] = [],
): JsonObject {
  const { own, lens } = kept(transition.metadata);
  // an edge that led nowhere and is connected now is still that edge
  const before = loose.find((each) => each.slot === slot)?.edge;
  const base = transition.metadata || !isRecord(before) ? own : before;
  const condition = { ...known(transition.condition, context), value: context.expand(transition.condition.value) };
  const unsaid =
    wasAbsent(lens, "transition_condition") && (slot !== "edges" || sameCondition(condition, getCondition(undefined)));
  const id =
    Object.hasOwn(base, "id") || wasAbsent(lens, "id")
      ? {}
      : { id: context.edgeIds.next(node.id, wordOf(slot, transition)) };
  const written =
    slot === "edges"
      ? putCondition(condition, base.transition_condition)
      : Object.hasOwn(base, "transition_condition")
        ? base.transition_condition // whatever stood there, null included
        : { type: "prompt", prompt: edgeCondition(slot) };
  return {
    ...id,
    ...base,
    destination_node_id: transition.target_node_id,
    ...(unsaid ? {} : { transition_condition: written }),
  };
}

/** What a new edge's id says of it. */
function wordOf(slot: Slot, transition?: Transition): string {
  if (slot === "edges") return `to-${transition?.target_node_id ?? ""}`;
  return slot === "edge" ? "transfer-failed" : slot.replace(/_edge$/, "").replaceAll("_", "-");
}

function looseEdges(value: unknown): LooseEdge[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const slot = isRecord(item) ? SLOTS.find((name) => name === item.slot) : undefined;
    if (!isRecord(item) || slot === undefined) return [];
    const { edge, index, after, before } = item;
    return [
      {
        slot,
        edge,
        ...(typeof index === "number" ? { index } : {}),
        ...(typeof after === "string" ? { after } : {}),
        ...(typeof before === "string" ? { before } : {}),
      },
    ];
  });
}

/** Puts the edges that lead nowhere back: next to the edges they stood between, wherever those are now. */
function insertLoose(edges: readonly JsonObject[], loose: readonly LooseEdge[]): unknown[] {
  const list: unknown[] = [...edges];
  const connected = new Set<unknown>(edges);
  const idOf = (edge: unknown) => (isRecord(edge) && typeof edge.id === "string" ? edge.id : undefined);
  const placeOf = (id: string | undefined) =>
    id === undefined ? -1 : list.findIndex((edge) => connected.has(edge) && idOf(edge) === id);
  let next = 0;
  for (const { slot, edge, index = list.length, after, before } of loose) {
    if (slot !== "edges") continue;
    const usual = Math.min(index, list.length);
    const between =
      idOf(list.slice(0, usual).findLast((each) => connected.has(each))) === after &&
      idOf(list.slice(usual).find((each) => connected.has(each))) === before;
    const [behind, ahead] = [placeOf(after), placeOf(before)];
    const moved = behind >= 0 ? behind + 1 : ahead >= 0 ? ahead : usual;
    const at = Math.max(between ? usual : moved, next);
    list.splice(at, 0, edge);
    next = at + 1;
  }
  return list;
}
