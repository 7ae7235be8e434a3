import { isRecord, type JsonObject, omit, own, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentNode, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { OWNER, ownKeys } from "../shared/mod.ts";
import { hasSentences, heldCondition, inWords, readRetellCondition, writeRetellCondition } from "./condition.ts";
import type { FlowContext } from "./emit_context.ts";
import { EXAMPLES } from "./examples.ts";
import { EDGE_SLOTS, type EdgeSlot, edgeCondition, type TypeFacts } from "./node_types.ts";

type View = Pick<Transition, "condition" | "timing">;

const ALWAYS: TransitionCondition = { type: "always", value: "" };
const FAILED: TransitionCondition = { type: "tool_call", value: "", outcome: "failed" };

/** The transitions of special edges. Timing applies to conversation nodes only. */
const VIEWS: { readonly [slot in Exclude<EdgeSlot, "edges">]: View } = {
  success_edge: { condition: { ...FAILED, outcome: "succeeded" } },
  failed_edge: { condition: FAILED },
  edge: { condition: FAILED },
  else_edge: { condition: ALWAYS, timing: "else" },
  always_edge: { condition: ALWAYS },
  skip_response_edge: { condition: ALWAYS, timing: "skip_response" },
};

/** Reads the edges that lead to a node, in the order in which Retell tries them. */
export function readEdges(node: JsonObject, facts: TypeFacts, ids: ReadonlySet<string>): JsonObject[] {
  const leads = (edge: unknown): edge is JsonObject =>
    isRecord(edge) && typeof edge.destination_node_id === "string" && ids.has(edge.destination_node_id);
  return EDGE_SLOTS.flatMap((slot) => {
    const value = own(node, slot);
    const edges: readonly unknown[] = slot !== "edges" ? [value] : Array.isArray(value) ? value : [];
    return edges.filter(leads).map((edge) => readEdge(edge, slot, facts));
  });
}

function readEdge(edge: JsonObject, slot: EdgeSlot, facts: TypeFacts): JsonObject {
  const { transition_condition: condition, destination_node_id: target } = edge;
  const slotView = slot === "edges" ? { condition: readRetellCondition(condition) } : VIEWS[slot];
  const view = facts.node_type === "conversation" ? slotView : omit({ ...slotView }, ["timing"]);
  const usual = sameJson(usualSlots(slotView, facts).slots, [slot]);
  const kept = {
    ...omit(edge, ["destination_node_id", "transition_condition", "slot", "clauses"]),
    ...(usual ? {} : { slot }),
    ...(hasSentences(condition) ? { clauses: "text" } : {}),
  };
  return { target_node_id: target, ...view, metadata: { [OWNER]: kept } };
}

/** The edge slots of a transition in Retell's document, and the loss if they have another meaning. */
interface SlotsOfTransition {
  /** Empty if Retell has no edge for it. */
  readonly slots: readonly EdgeSlot[];
  readonly lost?: Lost;
}

type Lost = "no-edge" | "timing" | "tool-condition";

/** Messages of losses, and the replacement. */
const LOST: { readonly [lost in Lost]: readonly [message: string, instead?: string] } = {
  "no-edge": ["Retell has no such edge for this type of node"],
  timing: ["This type of node has no edge with this timing", "its else edge"],
  "tool-condition": [
    "Edges of this type of node have no condition on a tool's outcome",
    'an LLM condition such as "The function was called and failed"',
  ],
};

const NOWHERE: SlotsOfTransition = { slots: [], lost: "no-edge" };

/** Returns the slots of a transition without a slot in its metadata. */
function usualSlots(view: View, { slots, node_type: nodeType }: TypeFacts): SlotsOfTransition {
  const { type, outcome } = view.condition;
  const has = (slot: EdgeSlot) => slots.includes(slot);
  const same = slots.find((slot) => saysSlot(slot, nodeType, view));
  if (same) return { slots: [same] };
  if (type === "always" && has("else_edge")) return { slots: ["else_edge"], lost: "timing" };
  // without an outcome, a transition stands for all outcomes that have an edge
  if (type === "tool_call" && has("edge")) return outcome ? NOWHERE : { slots: ["edge"] };
  const leavesByOutcome = type === "tool_call" || (type === "always" && !has("edges"));
  if (leavesByOutcome && has("success_edge")) return { slots: ["success_edge", "failed_edge"] };
  return type === "tool_call" && has("edges") ? { slots: ["edges"], lost: "tool-condition" } : NOWHERE;
}

/** Whether a transition has the same meaning as an edge in this slot. */
function saysSlot(slot: EdgeSlot, nodeType: AgentNode["node_type"], { condition, timing }: View): boolean {
  if (slot === "edges") return ["llm_prompt", "equation"].includes(condition.type);
  const view = VIEWS[slot];
  const isSameTime = nodeType !== "conversation" || (timing ?? "after_speech") === (view.timing ?? "after_speech");
  const { type, outcome } = view.condition;
  return isSameTime && type === condition.type && outcome === (condition.outcome ?? undefined);
}

/** Writes all edges of a node: its transitions, and the unconnected edges that Retell requires. */
export function writeEdges(node: AgentNode, facts: TypeFacts, context: FlowContext): JsonObject {
  const { add } = context.losses;
  const edges: JsonObject[] = [];
  const singleEdges = new Map<EdgeSlot, JsonObject>();
  for (const [index, transition] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    if (transition.description)
      add("transition-description", path, "Retell's edges have no description", "the condition alone");
    const held = heldCondition(transition.condition, path, context);
    if (!held) continue;
    const { slots, lost } = slotsOf(node, transition, facts);
    const free = slots.filter((slot) => !singleEdges.has(slot));
    const taken = `Retell has one edge of this kind per node: ${slots.map(edgeCondition).join(", ")}`;
    if (lost) add(lost, path, ...LOST[lost]);
    if (slots.length > 0 && free.length === 0) add("edge-taken", path, taken, "the first of them");
    const written = { ...transition, condition: lost === "tool-condition" ? inWords(held) : held };
    for (const slot of free) {
      const edge = writeEdge(written, slot, node, context);
      if (slot === "edges") edges.push(edge);
      else singleEdges.set(slot, edge);
    }
  }
  for (const slot of facts.required) {
    if (singleEdges.has(slot)) continue;
    const id = context.edgeIds.next(node.id, wordOf(slot));
    singleEdges.set(slot, { id, transition_condition: { type: "prompt", prompt: edgeCondition(slot) } });
  }
  const listed = edges.length > 0 || facts.slots.includes("edges") ? { edges } : {};
  return { ...listed, ...Object.fromEntries(singleEdges) };
}

/** Returns the slot in a transition's metadata if it still has the same meaning, else the usual slots. */
function slotsOf(node: AgentNode, transition: Transition, facts: TypeFacts): SlotsOfTransition {
  const named = EDGE_SLOTS.find((slot) => slot === ownKeys(transition).slot);
  return named && saysSlot(named, node.node_type, transition) ? { slots: [named] } : usualSlots(transition, facts);
}

function writeEdge(
  transition: Transition,
  slot: EdgeSlot,
  node: AgentNode,
  { foreign, edgeIds }: FlowContext,
): JsonObject {
  const { clauses, ...kept } = omit(ownKeys(transition), ["slot", EXAMPLES]);
  // an imported edge without an id gets none
  const isNew = foreign || transition.metadata?.[OWNER] === undefined;
  const newId = isNew ? { id: edgeIds.next(node.id, wordOf(slot, transition)) } : {};
  return {
    ...kept,
    ...(typeof kept.id === "string" ? { id: edgeIds.claim(kept.id, node.id, "copy") } : newId),
    destination_node_id: transition.target_node_id,
    transition_condition:
      slot === "edges"
        ? writeRetellCondition(transition.condition, clauses === "text")
        : { type: "prompt", prompt: edgeCondition(slot) },
  };
}

/** Returns the part of a new edge's id that describes the edge. */
function wordOf(slot: EdgeSlot, transition?: Transition): string {
  if (slot === "edges") return `to-${transition?.target_node_id ?? ""}`;
  return slot === "edge" ? "transfer-failed" : slot.replace(/_edge$/, "").replaceAll("_", "-");
}
