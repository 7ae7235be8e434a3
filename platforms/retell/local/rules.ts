import { isRecord, type JsonObject, own, records, repeated } from "../../../src/base/values/mod.ts";
import { findingsOf } from "../../findings.ts";
import { EDGE_SLOTS } from "../flow/mod.ts";
import { checkKeys, retellTables } from "../shared/mod.ts";
import type { RetellKind } from "./resource.ts";

/** Kinds whose keys the published schema lists, with the schema's name. */
const ROOTS = { agent: "agent", "conversation-flow": "flow", "retell-llm": "llm" } as const;

/**
 * Validates a document like Retell, with the messages of its API.
 *
 * @param isStrict Whether to reject keys that the published schema lacks.
 */
export function retellFaults(kind: RetellKind, body: JsonObject, isStrict: boolean): readonly string[] {
  const root = Object.entries(ROOTS).find(([name]) => name === kind)?.[1];
  const unknown = isStrict && root ? unknownKeys(root, body) : [];
  return [...faultsOf(kind, body), ...unknown.map((path) => `${path} is not a known key`)];
}

function faultsOf(kind: RetellKind, body: JsonObject): readonly string[] {
  switch (kind) {
    case "agent":
      return typeof body.voice_id === "string" && body.voice_id !== "" ? [] : ["voice_id is required"];
    case "conversation-flow":
      return [...missing(body, retellTables().flow.required, "The flow"), ...nodeFaults(body)];
    case "conversation-flow-component":
      return [...missing(body, ["name", "nodes"], "The component"), ...nodeFaults(body)];
    case "retell-llm":
      return llmFaults(body);
    case "phone-number":
      return [];
  }
}

function nodeFaults(flow: JsonObject): readonly string[] {
  const nodes = records(flow.nodes);
  const { nodes: known, flow_tools: toolTypes, tools } = retellTables();
  const faults: string[] = [];
  if (flow.nodes !== undefined && !Array.isArray(flow.nodes)) faults.push("nodes must be array");
  const ids = new Set(nodes.map(({ id }) => id));
  for (const id of repeated(texts(nodes.map(({ id }) => id)))) faults.push(`Node id ${id} is used twice`);
  if (typeof flow.start_node_id === "string" && !ids.has(flow.start_node_id))
    faults.push(`start_node_id ${flow.start_node_id} does not exist`);
  for (const node of nodes) {
    const table = typeof node.type === "string" ? own(known, node.type) : undefined;
    if (table) faults.push(...missing(node, table.required, `Node ${node.id}`));
    else faults.push(`Node ${node.id}: type must be one of oneOf: ${Object.keys(known).join(", ")}`);
    for (const { destination_node_id: to } of records(node.finetune_transition_examples))
      if (typeof to === "string" && !ids.has(to))
        faults.push("Please remove or update finetune examples before deleting the associated node or edge");
  }
  for (const tool of records(flow.tools)) {
    const table = toolTypes.find((type) => type === tool.type);
    if (table) faults.push(...missing(tool, [...(own(tools, table)?.required ?? []), "tool_id"], `Tool ${tool.name}`));
    else faults.push(`Tool ${tool.name}: type must be one of ${toolTypes.join(", ")}`);
  }
  return [...faults, ...edgeFaults(nodes, ids)];
}

function edgeFaults(nodes: readonly JsonObject[], ids: ReadonlySet<unknown>): readonly string[] {
  const edges = nodes.flatMap((node) => edgesOf(node).map((edge) => ({ node, edge })));
  const twice = repeated(texts(edges.map(({ edge }) => edge.id)));
  const faults = [...twice].map((id) => `Edge id ${id} is used twice`);
  for (const { node, edge } of edges) {
    const { id, destination_node_id: to, transition_condition: condition } = edge;
    if (typeof to === "string" && !ids.has(to)) faults.push(`Edge ${id} leads to ${to}, which does not exist`);
    if (typeof to === "string" && to === node.id) faults.push(`Edge ${id} leads from ${to} to itself`);
    if (condition === undefined || condition === null) continue;
    const { type, equations } = isRecord(condition) ? condition : {};
    if (type !== "prompt" && type !== "equation")
      faults.push(`Edge ${id}: transition_condition must be of type prompt or equation`);
    else if (type === "equation" && !(Array.isArray(equations) && equations.every(isRecord)))
      faults.push(`Edge ${id}: equations must be objects`);
  }
  return faults;
}

function llmFaults(llm: JsonObject): readonly string[] {
  const { tools } = retellTables();
  const states = records(llm.states);
  const faults: string[] = [];
  for (const tool of [...records(llm.general_tools), ...states.flatMap((state) => records(state.tools))]) {
    const table = typeof tool.type === "string" ? own(tools, tool.type) : undefined;
    if (table) faults.push(...missing(tool, table.required, `Tool ${tool.name}`));
    else faults.push(`Tool ${tool.name}: type must be one of oneOf: ${Object.keys(tools).join(", ")}`);
  }
  const names = new Set(states.map(({ name }) => name));
  if (states.length > 0 && !names.has(llm.starting_state)) faults.push("starting_state must be one of the states");
  for (const state of states) {
    const targets = texts(records(state.edges).map((edge) => edge.destination_state_name));
    if (repeated(targets).size > 0) faults.push("Destination states must be unique for a particular state");
    for (const target of targets) if (!names.has(target)) faults.push(`State ${target} does not exist`);
  }
  return faults;
}

function missing(object: JsonObject, keys: readonly string[], what: string): readonly string[] {
  return keys
    .filter((key) => object[key] === undefined || object[key] === null)
    .map((key) => `${what} must have required property '${key}'`);
}

function edgesOf(node: JsonObject): readonly JsonObject[] {
  return EDGE_SLOTS.flatMap((key) => (Array.isArray(node[key]) ? records(node[key]) : records([node[key]])));
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

/** Returns the paths of keys, at any depth, that Retell's published schema lacks. */
function unknownKeys(root: "flow" | "llm" | "agent", body: JsonObject): readonly string[] {
  return findingsOf((report) => checkKeys(root, body, [], report)).map(({ path }) => path.join("."));
}
