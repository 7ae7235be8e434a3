import type { Path } from "../../../src/errors.ts";
import type { AgentNode, Transition, TransitionCondition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own, sameJson } from "../../../src/values/mod.ts";
import { OWNER, ownKeys, retellTables } from "../shared/mod.ts";
import { hasSentences, readCondition, writeCondition } from "./condition.ts";
import type { EmitContext } from "./emit_context.ts";
import { EXAMPLES } from "./examples.ts";
import { edgeCondition, SLOTS, type Slot, type TypeFacts } from "./node_types.ts";

type View = Pick<Transition, "condition" | "timing">;

const ALWAYS: TransitionCondition = { type: "always", value: "" };
const FAILED: TransitionCondition = { type: "tool_call", value: "", outcome: "failed" };

/** The transitions of special edges. Timing applies to conversation nodes only. */
const VIEWS: { readonly [slot in Exclude<Slot, "edges">]: View } = {
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
  return SLOTS.flatMap((slot) => {
    const value = own(node, slot);
    const edges: readonly unknown[] = slot !== "edges" ? [value] : Array.isArray(value) ? value : [];
    return edges.filter(leads).map((edge) => readEdge(edge, slot, facts));
  });
}

function readEdge(edge: JsonObject, slot: Slot, facts: TypeFacts): JsonObject {
  const { transition_condition: condition, destination_node_id: target } = edge;
  const special = slot === "edges" ? { condition: readCondition(condition) } : VIEWS[slot];
  const view = facts.node_type === "conversation" ? special : omit({ ...special }, ["timing"]);
  const usual = sameJson(usualPlace(special, facts).slots, [slot]);
  const kept = {
    ...omit(edge, ["destination_node_id", "transition_condition", "slot", "clauses"]),
    ...(usual ? {} : { slot }),
    ...(hasSentences(condition) ? { clauses: "text" } : {}),
  };
  return { target_node_id: target, ...view, metadata: { [OWNER]: kept } };
}

/** Where a transition stands at Retell, and the loss if that differs from what it says. */
interface Place {
  /** Empty if Retell has no place for it. */
  readonly slots: readonly Slot[];
  readonly lost?: "no-edge" | "tool-condition" | "timing";
}

const NOWHERE: Place = { slots: [], lost: "no-edge" };

/** Where a transition of a node stands unless its metadata names a slot. */
function usualPlace({ condition, timing }: View, { slots, node_type: nodeType }: TypeFacts): Place {
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
  const spoken = timing === "skip_response" ? "skip_response_edge" : "always_edge";
  const wanted = nodeType !== "conversation" || timing === "else" ? "else_edge" : spoken;
  if (has(wanted)) return { slots: [wanted] };
  return has("else_edge") ? { slots: ["else_edge"], lost: "timing" } : NOWHERE;
}

/** Whether a transition says what an edge in this slot says. */
function saysSlot(slot: Slot, nodeType: AgentNode["node_type"], { condition, timing }: View): boolean {
  if (slot === "edges") return ["llm_prompt", "equation"].includes(condition.type);
  const view = VIEWS[slot];
  const sameTiming = (timing ?? "after_speech") === (view.timing ?? "after_speech");
  const { type, outcome } = view.condition;
  const sameCondition = type === condition.type && outcome === (condition.outcome ?? undefined);
  return sameCondition && (sameTiming || nodeType !== "conversation");
}

/** Writes all edges of a node: its transitions, and the unconnected edges that Retell requires. */
export function writeEdges(node: AgentNode, facts: TypeFacts, context: EmitContext): JsonObject {
  const { add } = context.losses;
  const edges: JsonObject[] = [];
  const special = new Map<Slot, JsonObject>();
  const taken = (path: Path, what = "") =>
    add("edge-taken", path, `Retell has one edge of this kind per node${what}`, "the first of them");
  for (const [index, transition] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    if (transition.description)
      add("transition-description", path, "Edges have no description at Retell", "the condition alone");
    const held = heldCondition(transition.condition, path, context);
    if (!held) continue;
    const { slots, lost } = placeOf(node, transition, facts);
    const free = slots.length > 1 ? slots.filter((slot) => !special.has(slot)) : slots;
    if (lost) losePlace(lost, path, context);
    else if (free.length === 0) taken(path);
    const condition = lost === "tool-condition" ? inWords(held) : held;
    for (const slot of free) {
      if (slot === "edges") edges.push(writeEdge({ ...transition, condition }, slot, node, context));
      else if (special.has(slot)) taken(path, `: ${edgeCondition(slot)}`);
      else special.set(slot, writeEdge({ ...transition, condition }, slot, node, context));
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

/** Where a transition goes at Retell: the slot that its metadata names if it still says the same, else the usual place. */
function placeOf(node: AgentNode, transition: Transition, facts: TypeFacts): Place {
  const named = SLOTS.find((slot) => slot === ownKeys(transition).slot);
  return named && saysSlot(named, node.node_type, transition) ? { slots: [named] } : usualPlace(transition, facts);
}

function losePlace(lost: NonNullable<Place["lost"]>, path: Path, { losses: { add } }: EmitContext): void {
  if (lost === "no-edge") add(lost, path, "This type of node has no such edge at Retell");
  else if (lost === "timing") add(lost, path, "This type of node has no edge with this timing", "its else edge");
  else {
    const message = "Edges of this type of node have no condition on a tool's outcome";
    add("tool-condition", path, message, 'an LLM condition such as "The function was called and failed"');
  }
}

/**
 * A condition without the equations that Retell does not know; `undefined` if it can then never be true, so that its edge
 * would never be taken.
 */
export function heldCondition(
  condition: TransitionCondition,
  path: Path,
  { foreign, losses }: EmitContext,
): TransitionCondition | undefined {
  if (!foreign || condition.type !== "equation") return condition;
  const all = condition.equations ?? [];
  const equations = all.filter(({ operator }) => retellTables().operators.includes(operator));
  for (const clause of all) {
    const message = `Retell does not have this operator, and an equation with it is never true: "${clause.operator}"`;
    const instead = "the other equations of an or, if there are any";
    if (!equations.includes(clause)) losses.add("operator", path, message, instead);
  }
  const holds = equations.length === all.length || (condition.logical_operator === "or" && equations.length > 0);
  return holds ? { ...condition, equations } : undefined;
}

function inWords({ value, outcome }: TransitionCondition): TransitionCondition {
  const tool = value === "" ? "The function" : `The function "${value}"`;
  return { type: "llm_prompt", value: `${tool} was called${outcome ? ` and ${outcome}` : ""}` };
}

function writeEdge(transition: Transition, slot: Slot, node: AgentNode, { foreign, edgeIds }: EmitContext): JsonObject {
  const { clauses, ...kept } = omit(ownKeys(transition), ["slot", EXAMPLES]);
  // an edge of Retell's that came without an id stays without
  const isNew = foreign || transition.metadata?.[OWNER] === undefined;
  const newId = isNew ? { id: edgeIds.next(node.id, wordOf(slot, transition)) } : {};
  return {
    ...kept,
    ...(typeof kept.id === "string" ? { id: edgeIds.claim(kept.id, node.id, "copy") } : newId),
    destination_node_id: transition.target_node_id,
    transition_condition:
      slot === "edges"
        ? writeCondition(transition.condition, clauses === "text")
        : { type: "prompt", prompt: edgeCondition(slot) },
  };
}

/** The part of a new edge's id that describes the edge. */
function wordOf(slot: Slot, transition?: Transition): string {
  if (slot === "edges") return `to-${transition?.target_node_id ?? ""}`;
  return slot === "edge" ? "transfer-failed" : slot.replace(/_edge$/, "").replaceAll("_", "-");
}
