import type { AgentNode, Transition, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";
import { getCondition, plainCondition, sameCondition } from "./condition.ts";
import { edgeCondition, SLOTS, type Slot, type TypeFacts } from "./node_types.ts";

/** An edge that leads nowhere, with its place: `after` and `before` name connected edges of the same list by id. */
export interface LooseEdge {
  readonly slot: Slot;
  readonly edge: unknown;
  readonly index?: number;
  readonly after?: string;
  readonly before?: string;
}

/** A node's edges as the graph has them. */
export interface ReadEdges {
  readonly transitions: readonly JsonObject[];
  readonly loose: readonly LooseEdge[];
  /** Keys whose value is no edge at all and stays as it is. */
  readonly foreign: readonly Slot[];
}

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
  return sameCondition({ ...condition, value: transition.condition.value }, transition.condition) && sameTiming;
}

/** Reads all edges of a node, in the order in which Retell tries them. */
export function readEdges(node: JsonObject, facts: TypeFacts, ids: ReadonlySet<string>): ReadEdges {
  const transitions: JsonObject[] = [];
  const loose: LooseEdge[] = [];
  const foreign: Slot[] = [];
  const leads = (edge: unknown): edge is JsonObject =>
    isRecord(edge) && typeof edge.destination_node_id === "string" && ids.has(edge.destination_node_id);
  for (const slot of SLOTS) {
    if (!Object.hasOwn(node, slot)) continue;
    const value = node[slot];
    if (slot === "edges") {
      if (!Array.isArray(value)) foreign.push(slot);
      else
        for (const [index, edge] of value.entries()) {
          if (leads(edge)) transitions.push(readEdge(edge, slot, facts));
          else loose.push({ slot, edge, index, ...neighbours(value, index, leads) });
        }
    } else if (leads(value)) transitions.push(readEdge(value, slot, facts));
    else if (isRecord(value)) loose.push({ slot, edge: value });
    else foreign.push(slot);
  }
  return { transitions, loose, foreign };
}

function neighbours(edges: readonly unknown[], index: number, leads: (edge: unknown) => edge is JsonObject) {
  const idOf = (edge: unknown) => (isRecord(edge) && typeof edge.id === "string" ? edge.id : undefined);
  const after = idOf(edges.slice(0, index).findLast(leads));
  const before = idOf(edges.slice(index + 1).find(leads));
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

function readEdge(edge: JsonObject, slot: Slot, facts: TypeFacts): JsonObject {
  const { transition_condition: original, destination_node_id: target } = edge;
  const view = slot === "edges" ? { condition: getCondition(original) } : slotView(slot, facts.node_type);
  const plain = slot === "edges" ? plainCondition(view.condition) : { type: "prompt", prompt: edgeCondition(slot) };
  const absent = ["id", "transition_condition"].filter((key) => !Object.hasOwn(edge, key));
  const own = omit(edge, ["destination_node_id", ...(sameJson(plain, original) ? ["transition_condition"] : [])]);
  const usual = sameJson(usualPlace(view, facts).slots, [slot]);
  const metadata = keep(own, { absent, ...(usual ? {} : { slot }) });
  return { target_node_id: target, ...view, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
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
