import { PlatformError } from "../../src/errors.ts";
import { type AgentGraph, isRecord, type JsonObject, omit, parseGraph, sameJson } from "../../src/graph/mod.ts";
import { type Opened, openContainer } from "./container.ts";
import { type Field, isText } from "./fields.ts";
import { readFlowTools, toolsById } from "./flow_tools.ts";
import { readNode } from "./import_node.ts";
import { keep, OWNER } from "./keep.ts";

/** Keys of a flow that the graph models in its source metadata. */
export const FLOW_FIELDS: readonly Field[] = [
  { graph: "general_prompt", retell: "global_prompt", fits: isText },
  { graph: "start_speaker", retell: "start_speaker", fits: (value) => value === "agent" || value === "user" },
  { graph: "default_dynamic_variables", retell: "default_dynamic_variables", fits: isRecord },
];

/** Keys of a flow that emitting writes even where the graph says nothing. */
const FLOW_DEFAULTS = ["start_node_id", "start_speaker", "model_choice", "name"];

interface NamedNode {
  readonly id: string;
  readonly node: JsonObject;
}

/**
 * Reads a conversation flow, or a shared component, in any container.
 *
 * @throws {PlatformError} `unknown-shape` with the first thing wrong.
 */
export function importRetell(document: unknown): AgentGraph {
  const opened = openContainer(document);
  if (!opened || opened.kind === "llm") {
    throw wrong(
      [],
      "it has no list of nodes",
      'Pass a conversation flow: an object with "nodes", or an export with "conversationFlow"',
    );
  }
  const { body, container, agent, kind } = opened;
  const named = checkNodes(opened);
  const order = named.map(({ id }) => id);
  const scope = { ids: new Set(order), tools: toolsById(body.tools) };
  const nodes = Object.fromEntries(named.map(({ id, node }) => [id, readNode(node, id, scope)]));

  const entry = entryOf(body, named);
  const told = body.start_node_id === entry;
  const held = FLOW_FIELDS.filter(({ retell, fits }) => Object.hasOwn(body, retell) && fits(body[retell]));
  const tools = readFlowTools(body, nodes);
  const model = readModel(body);
  const taken = [
    "nodes",
    "tools",
    "model_choice",
    ...held.map(({ retell }) => retell),
    ...(told ? ["start_node_id"] : []),
  ];
  const lens = {
    kind,
    container,
    absent: FLOW_DEFAULTS.filter((key) => !Object.hasOwn(body, key)),
    ...(told ? {} : { entry }),
    ...(tools.places ? { tools: tools.places } : {}),
    ...model.lens,
    // ids that look like integers move to the front of every object
    ...(sameJson(Object.keys(nodes), order) ? {} : { order }),
  };
  const own = keep({ ...omit(body, taken), ...tools.own, ...model.own }, lens)[OWNER];
  return parseGraph({
    nodes,
    entry_node_id: entry,
    source_type: "retell",
    source_metadata: {
      ...Object.fromEntries(held.map(({ graph, retell }) => [graph, body[retell]])),
      [OWNER]: { ...(isRecord(own) ? own : {}), ...(agent ? { agent } : {}) },
    },
    ...model.view,
  });
}

function checkNodes({ body, path }: Opened): NamedNode[] {
  if (!Array.isArray(body.nodes)) {
    throw wrong([...path, "nodes"], '"nodes" is no list', 'Give "nodes" a list of objects, each with "id" and "type"');
  }
  if (body.nodes.length === 0) {
    throw wrong([...path, "nodes"], '"nodes" is empty', "Add the node where calls start");
  }
  const seen = new Set<string>();
  return body.nodes.map((node: unknown, index) => {
    const at = [...path, "nodes", index];
    if (!isRecord(node)) throw wrong(at, `node ${index} is no object`, 'Make it an object with "id" and "type"');
    const { id } = node;
    if (typeof id !== "string")
      throw wrong([...at, "id"], `node ${index} has no "id"`, 'Give it an "id" of its own, a text');
    if (seen.has(id)) throw wrong([...at, "id"], `two nodes have the id "${id}"`, "Give each node an id of its own");
    seen.add(id);
    return { id, node };
  });
}

/** Where calls start: what the flow names, else a node that says so of itself, else the first that can be. */
function entryOf(body: JsonObject, nodes: readonly NamedNode[]): string {
  const names = (id: unknown) => nodes.some((named) => named.id === id);
  const named = [body.start_node_id, body.starting_node_id].find(names);
  const marked =
    nodes.find(({ node }) => node.is_start === true || node.start === true) ??
    nodes.find(({ node }) => !isRecord(node.global_node_setting) && node.type !== "end") ??
    nodes[0];
  return typeof named === "string" ? named : (marked?.id ?? "");
}

function readModel(body: JsonObject): { view: JsonObject; own: JsonObject; lens: JsonObject } {
  const { model_choice: choice } = body;
  if (!isRecord(choice) || !isText(choice.model)) {
    return { view: {}, own: Object.hasOwn(body, "model_choice") ? { model_choice: choice } : {}, lens: {} };
  }
  const more = omit(choice, ["model", ...(choice.type === "cascading" ? ["type"] : [])]);
  return {
    view: { default_model: choice.model },
    own: Object.keys(more).length > 0 ? { model_choice: more } : {},
    lens: Object.hasOwn(choice, "type") ? {} : { model_untyped: true },
  };
}

function wrong(path: readonly (string | number)[], state: string, hint: string): PlatformError {
  return new PlatformError(`Cannot import Retell conversation flow: ${state}`, { code: "unknown-shape", path, hint });
}
