import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../../src/base/values/mod.ts";
import type { Report } from "../../platform.ts";
import { isSet, isString, retellTables } from "../shared/mod.ts";
import { EDGE_SLOTS, type EdgeSlot, edgeCondition, typeFacts } from "./node_types.ts";

const MOST_EQUATIONS = 50;

interface Edge {
  /** Absent for a go-back condition. */
  readonly slot?: EdgeSlot;
  readonly edge: JsonObject;
  readonly path: Path;
}

export function checkEdges(flow: JsonObject, report: Report): void {
  const seen = new Map<string, Path>();
  const nodes = records(flow.nodes);
  const ids = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    const at = ["nodes", String(node.id)];
    const edges = edgesOf(node, at);
    for (const each of edges) {
      checkId(each, seen, report);
      checkCondition(each, node, report);
      checkTarget(each, node, ids, report);
    }
    checkExamples(node, edges, at, report);
    const required = typeFacts(String(node.type))?.required ?? [];
    for (const slot of required.filter((each) => !isRecord(node[each]))) {
      const hint = `Add a transition that fires as "${edgeCondition(slot)}"`;
      report("missing-edge", [...at, slot], `A ${String(node.type)} node needs "${slot}"`, hint);
    }
  }
}

function edgesOf(node: JsonObject, at: Path): readonly Edge[] {
  const slots = EDGE_SLOTS.flatMap((slot): Edge[] => {
    const value = node[slot];
    if (slot === "edges") return records(value).map((edge, index) => ({ slot, edge, path: [...at, slot, index] }));
    return isRecord(value) || value === null ? [{ slot, edge: value ?? {}, path: [...at, slot] }] : [];
  });
  const backs = records(recordAt(node, "global_node_setting").go_back_conditions);
  const path = [...at, "global_node_setting", "go_back_conditions"];
  return [...slots, ...backs.map((edge, index) => ({ edge, path: [...path, index] }))];
}

function checkId({ edge: { id }, path }: Edge, seen: Map<string, Path>, report: Report): void {
  const at = [...path, "id"];
  if (!isString(id)) {
    report("edge-id", at, "An edge needs an id", 'Set "id"');
    return;
  }
  const message = `"${id}" is also the id of ${seen.get(id)?.join(".")}`;
  if (seen.has(id)) report("duplicate-edge-id", at, message, "Give each edge a unique id");
  else seen.set(id, path);
}

function checkTarget({ edge, path, slot }: Edge, node: JsonObject, ids: ReadonlySet<unknown>, report: Report): void {
  const { destination_node_id: target } = edge;
  const elsewhere = "Remove the edge: without it, the call stays at the node";
  if (target === node.id) report("self-edge", path, "Retell refuses an edge to its own node", elsewhere);
  const at = [...path, "destination_node_id"];
  const hint = "Set the id of a node, or leave the edge unconnected";
  if (isSet(target) && !ids.has(target))
    report("unknown-destination", at, `There is no node "${String(target)}"`, hint);
  // an open edge is allowed where the call can stay at the node or take another edge
  const isAlone = slot === "edges" && edgesOf(node, []).every((each) => !isSet(each.edge.destination_node_id));
  const isStuck = slot === "else_edge" && typeFacts(String(node.type))?.speaks === false;
  const message = `"${slot}" of "${String(node.id)}" leads to no node`;
  if (!isSet(target) && Object.keys(edge).length > 0 && (isAlone || isStuck))
    report("unconnected-edge", at, message, "Set the id of a node", "warning");
}

/** Retell rejects changes of an edge while an example of the node leads to the edge's old target. */
function checkExamples(node: JsonObject, edges: readonly Edge[], at: Path, report: Report): void {
  const targets = new Set(edges.map(({ edge }) => edge.destination_node_id));
  for (const [index, { destination_node_id: target }] of records(node.finetune_transition_examples).entries()) {
    const path = [...at, "finetune_transition_examples", index];
    const message = `An example leads to "${String(target)}", but no edge does`;
    if (isSet(target) && target !== node.id && !targets.has(target))
      report("stale-example", path, message, "Change or remove the example", "warning");
  }
}

/**
 * Flows from Retell have special edges without a condition. Retell rejects a code node if the prompt of its else
 * edge is not exactly "Else". It accepts other prompts at other special edges.
 */
function checkCondition({ edge, slot, path: at }: Edge, node: JsonObject, report: Report): void {
  const { transition_condition: condition } = edge;
  const path = [...at, "transition_condition"];
  const literalSlot = slot === "edges" ? undefined : slot;
  if (!isRecord(condition)) {
    const implied = literalSlot !== undefined && Object.hasOwn(edge, "id") && node.type !== "code";
    const severity = implied ? "warning" : "error";
    report("missing-condition", path, "An edge needs a condition", 'Set "transition_condition"', severity);
  } else if (condition.type !== "prompt") checkEquations(condition, path, report);
  else if (!isString(condition.prompt))
    report("condition-shape", path, 'A prompt condition needs "prompt"', 'Set "prompt"');
  if (literalSlot === undefined || !isRecord(condition) || condition.type !== "prompt") return;
  const literal = edgeCondition(literalSlot);
  const message = `The condition of "${literalSlot}" must be "${literal}"`;
  const severity = node.type === "code" ? "error" : "warning";
  if (condition.prompt !== literal)
    report("edge-literal", [...path, "prompt"], message, `Change it to "${literal}"`, severity);
}

function checkEquations({ type, equations, operator }: JsonObject, path: Path, report: Report): void {
  if (type !== "equation" || !Array.isArray(equations)) {
    const hint = 'Write { type: "equation", equations, operator }';
    report("condition-shape", path, "A condition is a prompt or a list of equations", hint);
    return;
  }
  const most = `At most ${MOST_EQUATIONS} equations, not ${equations.length}`;
  if (equations.length > MOST_EQUATIONS) report("too-many-equations", [...path, "equations"], most, "Split the edge");
  if (operator !== "&&" && operator !== "||")
    report("equation-operator", [...path, "operator"], "Equations combine with && or ||", 'Set "operator"');
  const { operators } = retellTables();
  const hint = `Write { left, operator, right } with one of ${operators.join(" ")}`;
  for (const [index, clause] of equations.entries())
    if (!isRecord(clause) || !isString(clause.left) || !operators.includes(String(clause.operator)))
      report("equation-shape", [...path, "equations", index], "Retell does not support this comparison", hint);
}
