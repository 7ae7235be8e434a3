import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { isSet, type Report, records, retellTables } from "../shared/mod.ts";
import { edgeCondition, SLOTS, type Slot, typeFacts } from "./node_types.ts";

const MOST_EQUATIONS = 50;

/** What Retell is known to refuse in the edges of a flow. */
export function checkEdges(flow: JsonObject, report: Report): void {
  const seen = new Map<string, Path>();
  const ids = new Set(records(flow.nodes).map(({ id }) => id));
  for (const node of records(flow.nodes)) {
    const at = ["nodes", String(node.id)];
    for (const [slot, edge, path] of edgesOf(node, at)) {
      checkId(edge, path, seen, report);
      checkCondition(edge, slot, node, [...path, "transition_condition"], report);
      if (slot !== undefined) checkSlot(edge, slot, node, path, report);
      if (edge.destination_node_id === node.id)
        report(
          "self-edge",
          path,
          "Retell refuses an edge to its own node",
          "Send it elsewhere, or remove it: a node stays by itself",
        );
      if (isSet(edge.destination_node_id) && !ids.has(edge.destination_node_id))
        report(
          "unknown-destination",
          [...path, "destination_node_id"],
          `There is no node "${String(edge.destination_node_id)}"`,
          "Name a node, or leave the edge unconnected",
        );
    }
    checkExamples(node, at, report);
    const facts = typeof node.type === "string" ? typeFacts(node.type) : undefined;
    for (const slot of facts?.required ?? [])
      if (!isRecord(node[slot]))
        report(
          "missing-edge",
          [...at, slot],
          `A ${String(node.type)} node needs "${slot}"`,
          `Add a transition that fires as "${edgeCondition(slot)}"`,
        );
  }
}

/** [3P] Retell refuses to change an edge for as long as an example of the node still leads where it led. */
function checkExamples(node: JsonObject, at: Path, report: Report): void {
  const targets = new Set([...edgesOf(node, at)].map(([, edge]) => edge.destination_node_id));
  for (const [index, example] of records(node.finetune_transition_examples).entries()) {
    const { destination_node_id: target } = example;
    if (isSet(target) && target !== node.id && !targets.has(target))
      report(
        "stale-example",
        [...at, "finetune_transition_examples", index],
        `An example leads to "${String(target)}", and no edge does`,
        "Change or remove the example",
        "warning",
      );
  }
}

function* edgesOf(node: JsonObject, at: Path): Generator<[Slot | undefined, JsonObject, Path]> {
  for (const slot of SLOTS) {
    const value = node[slot];
    if (slot === "edges")
      for (const [index, edge] of records(value).entries()) yield [slot, edge, [...at, slot, index]];
    else if (isRecord(value)) yield [slot, value, [...at, slot]];
    else if (value === null) yield [slot, {}, [...at, slot]];
  }
  const backs = isRecord(node.global_node_setting) ? node.global_node_setting.go_back_conditions : undefined;
  for (const [index, edge] of records(backs).entries())
    yield [undefined, edge, [...at, "global_node_setting", "go_back_conditions", index]];
}

function checkId(edge: JsonObject, path: Path, seen: Map<string, Path>, report: Report): void {
  const { id } = edge;
  if (typeof id !== "string") {
    report("edge-id", [...path, "id"], "An edge needs an id", 'Set "id"');
    return;
  }
  const first = seen.get(id);
  if (first)
    report(
      "duplicate-edge-id",
      [...path, "id"],
      `"${id}" is also the id of ${first.join(".")}`,
      "Give each edge an id of its own",
    );
  else seen.set(id, path);
}

/** Flows that were read from Retell have special edges without a condition, which could only be the one it must be. */
function checkCondition(edge: JsonObject, slot: Slot | undefined, node: JsonObject, path: Path, report: Report): void {
  const { transition_condition: condition } = edge;
  if (!isRecord(condition)) {
    const implied = slot !== undefined && slot !== "edges" && Object.hasOwn(edge, "id") && node.type !== "code";
    const severity = implied ? "warning" : "error";
    report("missing-condition", path, "An edge needs a condition", 'Set "transition_condition"', severity);
    return;
  }
  if (condition.type === "prompt") {
    if (typeof condition.prompt !== "string")
      report("condition-shape", path, 'A prompt condition needs "prompt"', 'Set "prompt"');
    return;
  }
  if (condition.type !== "equation" || !Array.isArray(condition.equations)) {
    report(
      "condition-shape",
      path,
      "A condition is a prompt or a list of equations",
      'Write { type: "equation", equations, operator }',
    );
    return;
  }
  const { equations, operator } = condition;
  if (equations.length > MOST_EQUATIONS)
    report(
      "too-many-equations",
      [...path, "equations"],
      `At most ${MOST_EQUATIONS} equations, not ${equations.length}`,
      "Split the edge",
    );
  if (operator !== "&&" && operator !== "||")
    report("equation-operator", [...path, "operator"], "Equations combine with && or ||", 'Set "operator"');
  const { operators } = retellTables();
  for (const [index, clause] of equations.entries()) {
    const known = isRecord(clause) && typeof clause.left === "string" && operators.includes(String(clause.operator));
    if (!known)
      report(
        "equation-shape",
        [...path, "equations", index],
        "Retell does not know this comparison",
        `Write { left, operator, right } with one of ${operators.join(" ")}`,
      );
  }
}

/** [3P] Retell rejects a code node whose else prompt is not exactly "Else"; other special edges are more forgiving. */
function checkSlot(edge: JsonObject, slot: Slot, node: JsonObject, path: Path, report: Report): void {
  if (slot === "edges") return;
  const { transition_condition: condition } = edge;
  const text = isRecord(condition) && condition.type === "prompt" ? condition.prompt : edgeCondition(slot);
  if (text !== edgeCondition(slot))
    report(
      "edge-literal",
      [...path, "transition_condition", "prompt"],
      `The condition of "${slot}" must be "${edgeCondition(slot)}"`,
      `Change it to "${edgeCondition(slot)}"`,
      node.type === "code" ? "error" : "warning",
    );
}
