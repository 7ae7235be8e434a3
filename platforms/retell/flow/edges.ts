import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, Names, omit, own, records, sameJson } from "../../../src/base/values/mod.ts";
import { bareName } from "../../../src/document/expressions/mod.ts";
import type {
  AgentNode,
  EquationClause,
  GlobalNodeSetting,
  Transition,
  TransitionCondition,
} from "../../../src/document/graph/mod.ts";
import { transitionPath } from "../../lower/mod.ts";
import { isString, keep, OWNER, ownKeys, retellTables, withMetadata } from "../shared/mod.ts";
import { EDGE_SLOTS, type EdgeSlot, edgeCondition, type TypeFacts } from "./node_types.ts";
import type { FlowContext } from "./tools.ts";

/** Reads the setting of a global node; `undefined` for a setting without a condition. */
export function readGlobalSetting(setting: JsonObject): JsonObject | undefined {
  if (!isString(setting.condition)) return undefined;
  const all: readonly unknown[] = Array.isArray(setting.go_back_conditions) ? setting.go_back_conditions : [];
  const ids = new Names();
  const backs = all.filter(isRecord).map((back, index) => readGoBack(back, index, ids));
  const isReadable = backs.length > 0 && backs.length === all.length;
  return {
    condition: setting.condition,
    go_back_conditions: isReadable ? backs : [],
    metadata: keep(omit(setting, ["condition", ...(isReadable ? ["go_back_conditions"] : [])])),
  };
}

function readGoBack(back: JsonObject, index: number, ids: Names): JsonObject {
  const id = ids.take(isString(back.id) ? back.id : `back_${index}`);
  const condition = readRetellCondition(back.transition_condition);
  return withMetadata({ id, condition }, omit(back, ["id", "transition_condition"]));
}

/** Writes a setting: the inverse of {@link readGlobalSetting}. */
export function writeGlobalSetting(setting: GlobalNodeSetting, nodeId: string, context: FlowContext): JsonObject {
  const backs = setting.go_back_conditions.flatMap((back, index) => {
    const path = ["nodes", nodeId, "global_node_setting", "go_back_conditions", index];
    if (back.condition.type !== "llm_prompt" && back.condition.type !== "equation") {
      const message = "Retell's go-back conditions are LLM conditions or equations";
      context.losses.add("go-back-kind", path, message);
      return [];
    }
    const condition = heldCondition(back.condition, path, context);
    if (!condition) return [];
    // ids are unique per node in the graph, and per flow in Retell's document
    const id = context.edgeIds.claim(back.id, nodeId, "go-back");
    return [{ ...ownKeys(back), id, transition_condition: writeRetellCondition(condition) }];
  });
  const written = backs.length > 0 ? { go_back_conditions: backs } : {};
  return { ...ownKeys(setting), condition: setting.condition, ...written };
}

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
    ...spellingOf(condition),
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
    const path = transitionPath(node, index);
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
        ? writeRetellCondition(transition.condition, clauses)
        : { type: "prompt", prompt: edgeCondition(slot) },
  };
}

/** Returns the part of a new edge's id that describes the edge. */
function wordOf(slot: EdgeSlot, transition?: Transition): string {
  if (slot === "edges") return `to-${transition?.target_node_id ?? ""}`;
  return slot === "edge" ? "transfer-failed" : slot.replace(/_edge$/, "").replaceAll("_", "-");
}

/** Key of a node's examples of transitions, each with its target node. */
export const EXAMPLES = "finetune_transition_examples";

/**
 * Moves the examples of a node to their transitions, so that they are changed or removed with them. Retell rejects
 * changes of an edge while an example leads to the edge's old target.
 *
 * @returns The transitions with their examples, and the examples that belong to no transition as the node's own key.
 */
export function readExamples(node: JsonObject, transitions: readonly JsonObject[]) {
  const all = own(node, EXAMPLES);
  if (!Array.isArray(all)) return { transitions, own: {} };
  const firsts = new Map(transitions.map((each) => [each.target_node_id, each] as const).toReversed());
  const transitionOf = (example: unknown) => (isRecord(example) ? firsts.get(example.destination_node_id) : undefined);
  return {
    transitions: transitions.map((each) => {
      const mine = records(all).filter((example) => transitionOf(example) === each);
      const examples = mine.map((example) => omit(example, ["destination_node_id"]));
      return mine.length > 0 ? { ...each, metadata: keep({ ...ownKeys(each), ...examplesOf(examples) }) } : each;
    }),
    own: examplesOf(all.filter((example) => !transitionOf(example))),
  };
}

/** Writes the examples of a node and of its transitions: the inverse of {@link readExamples}. */
export function writeExamples(node: AgentNode): JsonObject {
  const listOf = (item: object): readonly unknown[] => {
    const list = ownKeys(item)[EXAMPLES];
    return Array.isArray(list) ? list : [];
  };
  const led = node.transitions.flatMap((transition) =>
    records(listOf(transition)).map((example) => ({ ...example, destination_node_id: transition.target_node_id })),
  );
  return examplesOf([...listOf(node), ...led]);
}

function examplesOf(examples: readonly unknown[]): JsonObject {
  return examples.length > 0 ? { [EXAMPLES]: examples } : {};
}

/** Replaces a malformed equation: it is never true. */
const NEVER: EquationClause = { left: "", operator: "" };

const SENTENCE =
  /^\s*(?:\{\{\s*([^{}]+?)\s*\}\}|([\w.-]+))\s*(==|!=|>=|<=|>|<|contains|not_contains|exists|not_exist)\s*(?:"([^"]*)"|'([^']*)'|(\S.*?))?\s*$/;

/** Reads the condition of an edge or a go-back. */
function readRetellCondition(value: unknown): TransitionCondition {
  if (!isRecord(value)) return { type: "llm_prompt", value: "" };
  if (value.type !== "equation") return { type: "llm_prompt", value: isString(value.prompt) ? value.prompt : "" };
  const equations = readClauses(value);
  const operator = value.operator === "||" ? "or" : equations.length > 1 ? "and" : undefined;
  return { type: "equation", value: "", equations, ...(operator ? { logical_operator: operator } : {}) };
}

/** How some hand-written files spell equations: as texts, or as the sides of a single one. */
function spellingOf(value: unknown): { readonly clauses?: "text" | "sides" | "bare" } {
  if (!isRecord(value) || value.type !== "equation") return {};
  const { equations: list, left_side: side, left } = value;
  if (Array.isArray(list)) return list.length > 0 && list.every(isString) ? { clauses: "text" } : {};
  return isString(side) ? { clauses: "sides" } : isString(left) ? { clauses: "bare" } : {};
}

/** Writes a condition: the inverse of {@link readRetellCondition}. */
function writeRetellCondition(condition: TransitionCondition, spelling?: unknown): JsonObject {
  const { type, value, equations, logical_operator: operator } = condition;
  if (type !== "equation") return { type: "prompt", prompt: value };
  const clauses = (equations ?? []).map(({ left, operator, right }) => {
    if (spelling === "text") return `{{${left}}} ${operator}${right == null ? "" : ` "${right}"`}`;
    return { left, operator, ...(right == null ? {} : { right: String(right) }) };
  });
  const [only, ...others] = clauses;
  if (isRecord(only) && others.length === 0 && spelling === "bare") return { type, ...only };
  if (isRecord(only) && others.length === 0 && spelling === "sides")
    return { type, left_side: only.left, operator: only.operator, right_side: only.right };
  return { type: "equation", equations: clauses, operator: operator === "or" ? "||" : "&&" };
}

/** Converts a condition on a tool's outcome to an LLM condition. */
function inWords({ value, outcome }: TransitionCondition): TransitionCondition {
  const tool = value === "" ? "The function" : `The function "${value}"`;
  return { type: "llm_prompt", value: `${tool} was called${outcome ? ` and ${outcome}` : ""}` };
}

/**
 * Removes equations with an operator that Retell does not support; `undefined` if the condition can then never be true.
 */
function heldCondition(
  condition: TransitionCondition,
  path: Path,
  { foreign, losses }: FlowContext,
): TransitionCondition | undefined {
  if (!foreign || condition.type !== "equation") return condition;
  const all = condition.equations ?? [];
  const equations = all.filter(({ operator }) => retellTables().operators.includes(operator));
  for (const clause of all) {
    const text = [clause.left, clause.operator, clause.right].filter((side) => side != null).join(" ");
    const message = `Retell does not support the operator "${clause.operator}", and an equation with it is never true: ${text}`;
    const instead = "the other equations, if they are joined by or";
    if (!equations.includes(clause)) losses.add("operator", path, message, instead);
  }
  const holds = equations.length === all.length || (condition.logical_operator === "or" && equations.length > 0);
  return holds ? { ...condition, equations } : undefined;
}

function readClauses(condition: JsonObject): EquationClause[] {
  if (Array.isArray(condition.equations)) return condition.equations.map(readClause);
  const { left_side: left = condition.left, operator, right_side: right = condition.right } = condition;
  return [readClause({ left, operator, right })];
}

function readClause(value: unknown): EquationClause {
  if (isString(value)) return readSentence(value) ?? NEVER;
  if (!isRecord(value) || !isString(value.left) || !isString(value.operator)) return NEVER;
  const { right } = value;
  const fits = isString(right) || typeof right === "number" || typeof right === "boolean";
  return { left: bareName(value.left), operator: value.operator, ...(fits ? { right } : {}) };
}

/** Reads `{{name}} == "x"`. */
function readSentence(text: string): EquationClause | undefined {
  const [, braced, plain, operator, double, single, rest] = SENTENCE.exec(text.slice(0, 2000)) ?? [];
  const left = braced ?? plain;
  const right = double ?? single ?? rest;
  if (left === undefined || operator === undefined) return undefined;
  return { left, operator, ...(right === undefined ? {} : { right }) };
}
