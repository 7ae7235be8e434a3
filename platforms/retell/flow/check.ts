import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, own, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import type { Finding, Report } from "../../platform.ts";
import {
  checkKeys,
  checkModels,
  checkTool,
  isSet,
  isString,
  missingDestination,
  openContainer,
  retellTables,
} from "../shared/mod.ts";
import { EDGE_SLOTS, type EdgeSlot, edgeCondition, typeFacts } from "./node_types.ts";

/** Required keys that are checked elsewhere. */
const CHECKED_ELSEWHERE: readonly string[] = ["id", "type", "code", ...EDGE_SLOTS];

const CODE_LIMIT = 5000;

/**
 * Checks an emitted flow for parts that Retell rejects. Paths are paths in the flow, with a node's id instead of its
 * index.
 */
export function checkRetell(graph: AgentGraph, config: unknown): readonly Finding[] {
  const { body: flow = {}, kind, agent } = openContainer(config) ?? {};
  return findingsOf((report) => {
    if (kind !== "component") checkKeys("flow", flow, [], report);
    if (agent) checkKeys("agent", omit(agent, ["response_engine"]), ["agent"], report);
    checkModels({ ...agent }, [], report);
    checkModels(recordAt(flow, "model_choice"), ["model_choice"], report);
    if (kind !== "component") checkStart(flow, graph.entry_node_id, report);
    checkBody(flow, report);
    for (const [index, part] of records(flow.components).entries()) {
      const at: Path = ["components", isString(part.name) ? part.name : index];
      const inPart: Report = (code, path, ...more) => report(code, [...at, ...path], ...more);
      checkBody(part, inPart, records(flow.tools));
    }
  });
}

/** Checks a flow or a component. `around`: the tools of the flow that contains the component. */
function checkBody(body: JsonObject, report: Report, around: readonly JsonObject[] = []): void {
  for (const node of records(body.nodes)) checkNode(node, ["nodes", String(node.id)], report);
  checkEdges(body, report);
  const ids = checkTools(body, report);
  const known = new Set([...ids, ...around.map(({ tool_id: id }) => id)]);
  for (const node of records(body.nodes)) {
    const path = ["nodes", String(node.id)];
    for (const [index, tool] of records(node.tools).entries()) checkToolOf(tool, [...path, "tools", index], report);
    const wanted = node.type === "function" && node.tool_type !== "shared" ? [node.tool_id] : node.tool_ids;
    for (const id of Array.isArray(wanted) ? wanted : [])
      if (!known.has(id))
        report("unknown-tool", path, `There is no tool "${String(id)}"`, "Add it to the flow's tools");
  }
}

/** @param entry The node at which simulated calls start. */
function checkStart(flow: JsonObject, entry: string, report: Report): void {
  const ids = records(flow.nodes).map(({ id }) => id);
  if (Object.hasOwn(flow, "starting_node_id"))
    report("unknown-start-key", ["starting_node_id"], 'Retell has no "starting_node_id"', 'Call it "start_node_id"');
  else if (!Object.hasOwn(flow, "start_node_id") || flow.start_node_id === null)
    report(
      "missing-start",
      ["start_node_id"],
      `The flow has no start node; calls are taken to start at "${entry}"`,
      `Set "start_node_id" to "${entry}" in the Retell document (original.json of an ejected flow)`,
      "warning",
    );
  else if (!ids.includes(flow.start_node_id))
    report("unknown-start", ["start_node_id"], `There is no node "${String(flow.start_node_id)}"`, "Name a node");
  for (const key of ["start_speaker", "model_choice"])
    if (!isSet(flow[key])) report("missing-field", [key], `A flow needs "${key}"`, `Set "${key}"`);
}

/** Checks the tools of a flow or a component and returns their ids. */
function checkTools(body: JsonObject, report: Report): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const [index, tool] of records(body.tools).entries()) {
    const path = ["tools", index];
    checkToolOf(tool, path, report);
    if (tool.tool_id === undefined || ids.has(tool.tool_id))
      report("tool-id", [...path, "tool_id"], "A tool of a flow needs an id of its own", 'Set "tool_id"');
    ids.add(tool.tool_id);
  }
  return ids;
}

function checkToolOf(tool: JsonObject, path: Path, report: Report): void {
  checkTool(tool, path, report);
  if (tool.type === "transfer_call") checkDestination(tool, "tool", path, report);
}

/** Checks one node, except for its edges. */
function checkNode(node: JsonObject, path: Path, report: Report): void {
  const { type } = node;
  const { nodes } = retellTables();
  const table = isString(type) ? own(nodes, type) : undefined;
  if (!isString(type) || !table) {
    const hint = `Use one of ${Object.keys(nodes).join(", ")}`;
    report("node-type", [...path, "type"], `Retell has no node type "${String(type)}"`, hint);
    return;
  }
  for (const key of table.required)
    if (!CHECKED_ELSEWHERE.includes(key) && !isSet(node[key]))
      report("missing-field", [...path, key], `A ${type} node needs "${key}"`, `Set "${key}"`);
  checkInstruction(node, table.instructions ?? [], path, report);
  // without one, the field is missing
  if (type === "transfer_call" && isSet(node.transfer_destination)) checkDestination(node, "node", path, report);
  if (type === "code") checkCode(node, path, report);
  checkModels(recordAt(node, "model_choice"), [...path, "model_choice"], report);
  const setting = node.global_node_setting;
  if (isRecord(setting) && !isSet(setting.condition))
    report("global-condition", [...path, "global_node_setting"], "A global node needs a condition", 'Set "condition"');
  for (const [index, { type: kind, choices }] of records(node.variables).entries())
    if (kind === "enum" && (!Array.isArray(choices) || choices.length === 0))
      report("enum-choices", [...path, "variables", index], "An enum needs choices", 'Set "choices"');
}

/** Warns about a code node without code, which Retell exports with an empty text. */
function checkCode({ code }: JsonObject, path: Path, report: Report): void {
  const at = [...path, "code"];
  if (!isString(code)) report("missing-field", at, 'A code node needs "code"', 'Set "code"');
  else if (code === "") report("empty-code", at, "A code node without code does nothing", 'Set "code"', "warning");
  else if (code.length > CODE_LIMIT)
    report("code-length", at, `Code has at most ${CODE_LIMIT} characters`, "Shorten it, or call a tool");
}

function checkInstruction(node: JsonObject, kinds: readonly string[], path: Path, report: Report): void {
  if (!Object.hasOwn(node, "instruction") || kinds.length === 0) return;
  const { type: kind } = recordAt(node, "instruction");
  const message = `A ${String(node.type)} node cannot have a ${String(kind)} instruction`;
  if (!isString(kind) || !kinds.includes(kind))
    report("instruction-type", [...path, "instruction"], message, `Make it ${kinds.join(" or ")}`);
}

/** Checks the destination of a transfer node, or of a tool that transfers. */
function checkDestination(holder: JsonObject, kind: "node" | "tool", path: Path, report: Report): void {
  const key = missingDestination(holder);
  if (key === undefined) return;
  const option = `Set "transfer_destination.${key}" in the ${kind}'s retell option`;
  const hint = kind === "node" && key === "number" ? "Set `to` of the transfer node" : option;
  report("destination-missing", [...path, "transfer_destination", key], "A transfer needs a destination", hint);
}

const MOST_EQUATIONS = 50;

interface Edge {
  /** Absent for a go-back condition. */
  readonly slot?: EdgeSlot;
  readonly edge: JsonObject;
  readonly path: Path;
}

function checkEdges(flow: JsonObject, report: Report): void {
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
