import { ITEM_NAME } from "../../../src/base/documents/mod.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { EmitOptions, Format, PlainEmitted } from "../../platform.ts";
import {
  type Abilities,
  type FlowFunction,
  type FlowModel,
  type FlowNode,
  fromGraph,
  nodeIn,
  nodeTo,
  refuse,
  textIn,
  toGraph,
} from "../shared/mod.ts";
import { openStatic } from "./forms.ts";

const TITLE = "Pipecat flow (static, until 2025)";

/** Static flows: JSON with functions in the format of a model's vendor. Pipecat Flows 1.0 has removed them. */
export const pipecatStatic: Format<"pipecat-static", JsonObject> = {
  name: "pipecat-static",
  title: TITLE,
  fileName: "flow.json",
  shape: {
    keys: [ITEM_NAME, "name", "function.name", "type"],
    maps: ["nodes"],
    open: openStatic,
  },
  detect: (document) => {
    const flow = flowIn(document);
    if (typeof flow.initial_node !== "string" || !isRecord(flow.nodes) || "global_functions" in flow) return 0;
    const nodes = Object.values(flow.nodes).filter(isRecord);
    const functions = nodes.flatMap((node) => (Array.isArray(node.functions) ? node.functions : [])).filter(isRecord);
    const isOlder = (each: JsonObject) =>
      "function" in each || "input_schema" in each || "function_declarations" in each;
    if (functions.some(isOlder)) return 1;
    if (nodes.some((node) => "role_messages" in node || "messages" in node)) return 0.9;
    return flow === document ? 0 : 0.5;
  },
  importDocument: (document, report) => toGraph(read(document), ABILITIES, report),
  emitGraph,
};

const ABILITIES: Abilities = {
  ...{ name: "pipecat-static", title: TITLE, role: "system" },
  ...{ describes: true, branches: false, hasName: false, isOrdered: false, hasCode: false },
};

/** The flow, also in an envelope `{ type: "flow", name, flow_config }`. */
function flowIn(document: unknown): JsonObject {
  if (!isRecord(document)) return {};
  return isRecord(document.flow_config) ? document.flow_config : document;
}

function read(document: unknown): FlowModel {
  const { body } = openStatic(document);
  const { initial_node: initial, nodes }: JsonObject = isRecord(body) ? body : {};
  if (!isRecord(nodes)) return refuse(TITLE, 'it has no "nodes"', ["nodes"], "Add nodes");
  return {
    initial: textIn(TITLE, initial, ["initial_node"]),
    nodes: Object.entries(nodes).map(([id, node]) => readNode(id, node)),
    globals: [],
  };
}

function readNode(id: string, node: unknown): FlowNode {
  const path = ["nodes", id];
  if (!isRecord(node)) return refuse(TITLE, `node '${id}' is no object`, path, "Write a node");
  return { id, ...nodeIn(TITLE, node, path, readFunctions) };
}

/** Reads a function in the form that files are opened in; a list without functions has none. */
function readFunctions(each: JsonObject, path: readonly (string | number)[]): readonly FlowFunction[] {
  if (Array.isArray(each.function_declarations)) return [];
  return [readFunction(isRecord(each.function) ? each.function : each, path)];
}

function readFunction(each: JsonObject, path: readonly (string | number)[]): FlowFunction {
  const { name, description, parameters, transition_to: to, handler, transition_callback: callback } = each;
  const given = isRecord(parameters) ? parameters : undefined;
  const takes = isRecord(given?.properties) && Object.keys(given.properties).length > 0;
  const isOnly = typeof to === "string" && !takes && handler == null && callback == null;
  return {
    name: textIn(TITLE, name, [...path, "name"]),
    ...(typeof description === "string" ? { description } : {}),
    ...(given && !isOnly ? { parameters: given } : {}),
    ...(typeof to === "string" ? { to } : {}),
    isOnly,
  };
}

function emitGraph(source: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  const { flow, losses } = fromGraph(source, ABILITIES, imported);
  for (const { name, to } of flow.globals) {
    const message = `A static flow has no global functions: "${name}" and its condition are left out`;
    losses.drop("global-function", ["nodes", String(to), "global_node_setting"], message);
  }
  const nodes = Object.fromEntries(flow.nodes.map((node) => [node.id, nodeTo(node, writeFunction, "map")]));
  return { config: { initial_node: flow.initial, nodes }, losses: losses.all() };
}

function writeFunction({ name, description, parameters, to }: FlowFunction): JsonObject {
  const given = parameters ?? { type: "object", properties: {} };
  return {
    type: "function",
    function: {
      name,
      description: description ?? "",
      parameters: given,
      ...(typeof to === "string" ? { transition_to: to } : {}),
    },
  };
}
