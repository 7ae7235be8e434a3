import type { Path } from "../../../src/errors.ts";
import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { type JsonObject, omit } from "../../../src/values/mod.ts";
import { OWNER, ownKeys, retellTables } from "../shared/mod.ts";
import { plainCondition, textCondition } from "./condition.ts";
import { saysSlot, usualPlace } from "./edges.ts";
import type { EmitContext } from "./emit_context.ts";
import { EXAMPLES } from "./examples.ts";
import { loss } from "./losses.ts";
import { edgeCondition, SLOTS, type Slot, type TypeFacts } from "./node_types.ts";

/** A transition with the slots that it fills and the condition that it is written with. */
interface Placed {
  readonly transition: Transition;
  readonly slots: readonly Slot[];
}

/** Writes all edges of a node: what its transitions say, and the unconnected ones that Retell requires. */
export function writeEdges(node: AgentNode, facts: TypeFacts, context: EmitContext): JsonObject {
  const edges: JsonObject[] = [];
  const special = new Map<Slot, JsonObject>();
  for (const [index, original] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    if (original.description) context.lose(loss("transition-description", path));
    if (!canHold(original.condition, path, context)) continue;
    const { transition, slots } = place(node, original, facts, special, path, context);
    for (const slot of slots) {
      if (slot === "edges") edges.push(writeEdge(transition, slot, node, context));
      else if (special.has(slot)) context.lose(loss("edge-taken", path, edgeCondition(slot)));
      else special.set(slot, writeEdge(transition, slot, node, context));
    }
  }
  for (const slot of facts.required) {
    if (special.has(slot)) continue;
    const id = context.edgeIds.next(node.id, wordOf(slot));
    special.set(slot, { id, transition_condition: { type: "prompt", prompt: edgeCondition(slot) } });
  }
  const listed = edges.length > 0 || facts.slots.includes("edges") ? { edges } : {};
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
  const own = ownKeys(transition.metadata);
  const told = SLOTS.find((slot) => slot === own.slot);
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

function writeEdge(transition: Transition, slot: Slot, node: AgentNode, context: EmitContext): JsonObject {
  const { clauses, ...own } = omit(ownKeys(transition.metadata), ["slot", EXAMPLES]);
  const condition = known(transition.condition, context);
  // an edge of Retell's that came without an id stays without
  const isNew = context.foreign || transition.metadata?.[OWNER] === undefined;
  const newId = isNew ? { id: context.edgeIds.next(node.id, wordOf(slot, transition)) } : {};
  return {
    ...own,
    ...(typeof own.id === "string" ? { id: context.edgeIds.claim(own.id, node.id, "copy") } : newId),
    destination_node_id: transition.target_node_id,
    transition_condition:
      slot !== "edges"
        ? { type: "prompt", prompt: edgeCondition(slot) }
        : clauses === "text"
          ? textCondition(condition)
          : plainCondition(condition),
  };
}

/** What a new edge's id says of it. */
function wordOf(slot: Slot, transition?: Transition): string {
  if (slot === "edges") return `to-${transition?.target_node_id ?? ""}`;
  return slot === "edge" ? "transfer-failed" : slot.replace(/_edge$/, "").replaceAll("_", "-");
}
