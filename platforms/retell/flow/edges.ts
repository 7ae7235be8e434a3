import type { AgentNode, Transition, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { OWNER } from "../shared/mod.ts";
import { getCondition, hasTexts } from "./condition.ts";
import { SLOTS, type Slot, type TypeFacts } from "./node_types.ts";

type View = Pick<Transition, "timing"> & { readonly condition: TransitionCondition };

/** What an edge of a special slot says, in the graph's terms. */
export function slotView(slot: Exclude<Slot, "edges">, nodeType: AgentNode["node_type"]): View {
  if (slot === "success_edge") return { condition: { type: "tool_call", value: "", outcome: "succeeded" } };
  if (slot === "failed_edge" || slot === "edge")
    return { condition: { type: "tool_call", value: "", outcome: "failed" } };
  const always: TransitionCondition = { type: "always", value: "" };
  if (nodeType !== "conversation" || slot === "always_edge") return { condition: always };
  return { condition: always, timing: slot === "else_edge" ? "else" : "skip_response" };
}

/** Whether a transition says what an edge in this slot says. */
export function saysSlot(slot: Slot, nodeType: AgentNode["node_type"], transition: Transition): boolean {
  if (slot === "edges") return ["llm_prompt", "equation"].includes(transition.condition.type);
  const { condition, timing } = slotView(slot, nodeType);
  const timings = [timing ?? "after_speech", transition.timing ?? "after_speech"];
  // timing means something where the node speaks only
  const sameTiming = nodeType !== "conversation" || timings[0] === timings[1];
  const { type, outcome } = transition.condition;
  return condition.type === type && condition.outcome === (outcome ?? undefined) && sameTiming;
}

/** Reads the edges that lead to a node, in the order in which Retell tries them. */
export function readEdges(node: JsonObject, facts: TypeFacts, ids: ReadonlySet<string>): JsonObject[] {
  const leads = (edge: unknown): edge is JsonObject =>
    isRecord(edge) && typeof edge.destination_node_id === "string" && ids.has(edge.destination_node_id);
  return SLOTS.flatMap((slot) => {
    const value = Object.hasOwn(node, slot) ? node[slot] : undefined;
    const edges: readonly unknown[] = slot !== "edges" ? [value] : Array.isArray(value) ? value : [];
    return edges.filter(leads).map((edge) => readEdge(edge, slot, facts));
  });
}

function readEdge(edge: JsonObject, slot: Slot, facts: TypeFacts): JsonObject {
  const { transition_condition: condition, destination_node_id: target } = edge;
  const view = slot === "edges" ? { condition: getCondition(condition) } : slotView(slot, facts.node_type);
  const usual = sameJson(usualPlace(view, facts).slots, [slot]);
  const own = omit(edge, ["destination_node_id", "transition_condition", "slot", "clauses"]);
  const metadata = {
    [OWNER]: { ...own, ...(usual ? {} : { slot }), ...(hasTexts(condition) ? { clauses: "text" } : {}) },
  };
  return { target_node_id: target, ...view, metadata };
}

/** Where a transition stands at Retell, and, where that is not what it says, what is lost. */
export interface Place {
  /** None: it stands nowhere. */
  readonly slots: readonly Slot[];
  readonly lost?: "no-edge" | "tool-condition" | "timing";
}

const NOWHERE: Place = { slots: [], lost: "no-edge" };

/** Where a transition of a node goes when nothing else is said. */
export function usualPlace({ condition, timing }: View, { slots, node_type: nodeType }: TypeFacts): Place {
  const has = (slot: Slot) => slots.includes(slot);
  if (condition.type === "llm_prompt" || condition.type === "equation")
    return has("edges") ? { slots: ["edges"] } : NOWHERE;
  if (condition.type === "tool_call") {
    if (has("edge")) return condition.outcome === "succeeded" ? NOWHERE : { slots: ["edge"] };
    if (!has("success_edge")) return has("edges") ? { slots: ["edges"], lost: "tool-condition" } : NOWHERE;
    if (!condition.outcome) return { slots: ["success_edge", "failed_edge"] };
    return { slots: [condition.outcome === "succeeded" ? "success_edge" : "failed_edge"] };
  }
  if (has("success_edge") && !has("edges")) return { slots: ["success_edge", "failed_edge"] };
  const wanted = nodeType !== "conversation" || timing === "else" ? "else_edge" : alwaysSlot(timing);
  if (has(wanted)) return { slots: [wanted] };
  return has("else_edge") ? { slots: ["else_edge"], lost: "timing" } : NOWHERE;
}

function alwaysSlot(timing: Transition["timing"]): Slot {
  return timing === "skip_response" ? "skip_response_edge" : "always_edge";
}
