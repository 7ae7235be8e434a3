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
import { checkEdges } from "./check_edges.ts";
import { EDGE_SLOTS } from "./node_types.ts";

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
