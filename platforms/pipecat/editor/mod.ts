import { defined, isRecord, type JsonObject, recordAt, records } from "../../../src/base/values/mod.ts";
import { type AgentGraph, agentName } from "../../../src/document/graph/mod.ts";
import type { EmitOptions, Format, PlainEmitted } from "../../platform.ts";
import {
  type Abilities,
  type FlowBranch,
  type FlowFunction,
  type FlowModel,
  type FlowNode,
  fromGraph,
  nodeIn,
  nodeTo,
  objectsIn,
  refuse,
  textIn,
  toGraph,
} from "../shared/mod.ts";

const TITLE = "Pipecat flow (editor, 2025)";
/** The field of a result that a decision of the editor compares. */
const RESULT = "result";

/** Files of Pipecat's visual editor: nodes in a list, with functions that name the next node. */
export const pipecatEditor: Format<"pipecat-editor", JsonObject> = {
  name: "pipecat-editor",
  title: TITLE,
  fileName: "flow.json",
  shape: {
    keys: ["id", "name", "value", "type"],
    derived: ["position"],
    references: { next_node_id: "id", default_next_node_id: "id", source: "id", target: "id" },
  },
  detect: (document) => {
    if (!isRecord(document) || !Array.isArray(document.nodes) || !isRecord(document.meta)) return 0;
    const types = records(document.nodes).map(({ type }) => type);
    return types.some((type) => type === "initial") ? 1 : 0;
  },
  importDocument: (document, report) => toGraph(read(document), ABILITIES, report),
  emitGraph,
};

const ABILITIES: Abilities = {
  ...{ name: "pipecat-editor", title: TITLE, role: "system" },
  ...{ describes: true, branches: true, hasName: true, isOrdered: true, hasCode: false },
};

function read(document: unknown): FlowModel {
  if (!isRecord(document)) return refuse(TITLE, "it is no object", [], "Pass a flow");
  const nodes = objectsIn(TITLE, document.nodes, ["nodes"]);
  const [first] = [...nodes.filter(({ type }) => type === "initial"), ...nodes];
  const ids = nodes.map(({ id }, index) => textIn(TITLE, id, ["nodes", index, "id"]));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    refuse(TITLE, `two nodes have the id '${twice}'`, ["nodes", ids.lastIndexOf(twice), "id"], "Rename one");
  const { name } = recordAt(document, "meta");
  return {
    ...(typeof name === "string" ? { name } : {}),
    initial: String(first?.id ?? ""),
    nodes: nodes.map((node, index) => readNode(node, ["nodes", index])),
    globals: objectsIn(TITLE, document.global_functions, ["global_functions"]).map((each, index) =>
      readFunction(each, ["global_functions", index]),
    ),
  };
}

function readNode({ id, type, data }: JsonObject, path: readonly (string | number)[]): FlowNode {
  const node = nodeIn(TITLE, isRecord(data) ? data : {}, [...path, "data"], (each, at) => [readFunction(each, at)]);
  return { id: String(id), ...node, ...(type === "end" ? { ends: true } : {}) };
}

function readFunction(each: JsonObject, path: readonly (string | number)[]): FlowFunction {
  const { name, description, properties, required, next_node_id: next, decision } = each;
  const takes = isRecord(properties) && Object.keys(properties).length > 0;
  const parameters = takes ? { type: "object", properties, ...defined({ required }) } : undefined;
  const branch = isRecord(decision) ? readDecision(decision, [...path, "decision"]) : undefined;
  const to = branch ?? (typeof next === "string" ? next : undefined);
  return {
    name: textIn(TITLE, name, [...path, "name"]),
    ...(typeof description === "string" ? { description } : {}),
    ...defined({ parameters, to }),
    isOnly: typeof to === "string" && !takes,
    ...(isRecord(decision) && typeof decision.action === "string" ? { note: decision.action } : {}),
  };
}

function readDecision(decision: JsonObject, path: readonly (string | number)[]): FlowBranch | undefined {
  const { default_next_node_id: fallback } = decision;
  const cases = objectsIn(TITLE, decision.conditions, [...path, "conditions"]).map((each, index) => {
    const { operator, value, next_node_id: target } = each;
    const at = [...path, "conditions", index];
    return {
      value: textIn(TITLE, value, [...at, "value"]),
      target: textIn(TITLE, target, [...at, "next_node_id"]),
      ...(typeof operator === "string" && operator !== "==" ? { operator } : {}),
    };
  });
  return { field: RESULT, cases, ...(typeof fallback === "string" ? { fallback } : {}) };
}

function emitGraph(source: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  const { flow, losses, graph } = fromGraph(source, ABILITIES, imported);
  const globals = flow.globals.map(writeFunction);
  const before = Object.keys(imported?.nodes ?? {});
  // a node that was imported keeps its place on the canvas, also under another name
  const isPlaced = (id: string, index: number) => {
    const old = before[index];
    return before.includes(id) || (old !== undefined && !flow.nodes.some((node) => node.id === old));
  };
  for (const { id, functions } of flow.nodes)
    for (const { name, to } of functions)
      if (to !== undefined && typeof to !== "string" && to.fallback === undefined) {
        const message = `A decision of the editor has a default, and "${name}" stays at the node if no case holds`;
        losses.emulate("branch", ["nodes", id], message, "the target of the last case");
      }
  return {
    config: {
      meta: { name: agentName(graph) ?? "", version: "0.1.0" },
      ...(globals.length > 0 ? { global_functions: globals } : {}),
      nodes: flow.nodes.map((node, index) =>
        writeNode(node, isPlaced(node.id, index) ? undefined : index, node.id === flow.initial),
      ),
      edges: [],
    },
    losses: losses.all(),
  };
}

function writeNode(node: FlowNode, place: number | undefined, isInitial: boolean): JsonObject {
  const isEnd = node.post.some(({ type }) => type === "end_conversation");
  return {
    id: node.id,
    type: isInitial ? "initial" : isEnd ? "end" : "node",
    ...(place === undefined ? {} : { position: { x: 100 + 320 * (place % 4), y: 100 + 200 * Math.floor(place / 4) } }),
    data: nodeTo(node, writeFunction, "MAP"),
  };
}

function writeFunction({ name, description, parameters, to, code }: FlowFunction): JsonObject {
  const { properties, required } = isRecord(parameters) ? parameters : {};
  return {
    name,
    description: description ?? "",
    ...defined({ properties, required: Array.isArray(required) && required.length === 0 ? undefined : required }),
    ...(typeof to === "string" ? { next_node_id: to } : {}),
    ...(to !== undefined && typeof to !== "string" ? { decision: writeDecision(to, code?.note) } : {}),
  };
}

function writeDecision({ cases, fallback }: FlowBranch, action = ""): JsonObject {
  return {
    action,
    conditions: cases.map(({ operator = "==", value, target }) => ({ operator, value, next_node_id: target })),
    ...defined({ default_next_node_id: fallback ?? cases.at(-1)?.target }),
  };
}
