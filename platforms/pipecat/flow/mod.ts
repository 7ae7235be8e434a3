import { ITEM_NAME } from "../../../src/base/documents/mod.ts";
import { defined, isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { EmitOptions, Format, PlainEmitted } from "../../platform.ts";
import { pythonFiles } from "../python/mod.ts";
import {
  type Abilities,
  contextStrategy,
  type FlowBranch,
  type FlowFunction,
  type FlowModel,
  type FlowNode,
  fromGraph,
  objectsIn,
  plainInstruction,
  refuse,
  textIn,
  toGraph,
} from "../shared/mod.ts";
import { checkFlow } from "./check.ts";

const TITLE = "Pipecat flow";

/** Configured flows: YAML or JSON that names the functions of a program (Pipecat 1.10 and later). */
export const pipecatFlow: Format<"pipecat", JsonObject> = {
  name: "pipecat",
  title: TITLE,
  fileName: "flow.yaml",
  yaml: true,
  shape: { keys: [ITEM_NAME, "name"], maps: ["nodes"] },
  detect,
  importDocument: (document, report) => toGraph(read(document), ABILITIES, report),
  emitGraph,
  checkGraph: checkFlow,
};

const ABILITIES: Abilities = {
  ...{ name: "pipecat", title: TITLE, role: "developer" },
  ...{ describes: false, branches: true, hasName: false, isOrdered: false, hasCode: true },
};

/** Keys of functions of the older generations. */
const OLDER = ["function", "input_schema", "function_declarations"];

function detect(document: unknown): number {
  if (!isRecord(document) || typeof document.initial_node !== "string" || !isRecord(document.nodes)) return 0;
  const nodes = Object.values(document.nodes).filter(isRecord);
  const functions = nodes.flatMap((node) => (Array.isArray(node.functions) ? node.functions : [])).filter(isRecord);
  if (functions.some((each) => OLDER.some((key) => key in each))) return 0;
  if (nodes.some((node) => "role_messages" in node || "messages" in node)) return 0;
  const isNamed = functions.some(({ name }) => typeof name === "string");
  if ("global_functions" in document || isNamed || nodes.some((node) => "role_message" in node)) return 1;
  return nodes.some((node) => "task_messages" in node) ? 0.8 : 0.3;
}

function read(document: unknown): FlowModel {
  if (!isRecord(document) || !isRecord(document.nodes))
    return refuse(TITLE, 'it has no "nodes"', ["nodes"], "Add nodes");
  return {
    initial: textIn(TITLE, document.initial_node, ["initial_node"]),
    nodes: Object.entries(document.nodes).map(([id, node]) => readNode(id, node)),
    globals: objectsIn(TITLE, document.global_functions, ["global_functions"]).map((each, index) =>
      readFunction(each, ["global_functions", index]),
    ),
  };
}

function readNode(id: string, node: unknown): FlowNode {
  const path = ["nodes", id];
  if (!isRecord(node)) return refuse(TITLE, `node '${id}' is no object`, path, "Write a node");
  const list = (key: string) => objectsIn(TITLE, node[key], [...path, key]);
  const { role_message: role, context_strategy: strategy, respond_immediately: responds } = node;
  return {
    id,
    ...defined({ role: role ?? undefined, strategy: strategy ?? undefined }),
    messages: list("task_messages").map(({ role: by, content }, index) => ({
      role: textIn(TITLE, by, [...path, "task_messages", index, "role"]),
      content: isInclude(content) ? content : textIn(TITLE, content, [...path, "task_messages", index, "content"]),
    })),
    functions: list("functions").map((each, index) => readFunction(each, [...path, "functions", index])),
    pre: list("pre_actions"),
    post: list("post_actions"),
    ...(typeof responds === "boolean" ? { responds } : {}),
  };
}

/** Whether a value is a text from another file: `!include greeting.txt`. */
const isInclude = (value: unknown) => isRecord(value) && Object.keys(value).length === 1 && "!include" in value;

function readFunction(each: JsonObject, path: readonly (string | number)[]): FlowFunction {
  const { name, transition_only: only, description, transition_to: to } = each;
  const isOnly = only === true && typeof to === "string";
  return {
    name: textIn(TITLE, name, [...path, "name"]),
    ...(typeof description === "string" ? { description } : {}),
    ...defined({
      to: to == null ? undefined : typeof to === "string" ? to : readBranch(to, [...path, "transition_to"]),
    }),
    isOnly,
  };
}

function readBranch(value: unknown, path: readonly (string | number)[]): FlowBranch {
  if (!isRecord(value) || !isRecord(value.cases))
    return refuse(TITLE, `"${path.join(".")}" is neither the name of a node nor a branch`, path, "Name a node");
  const { field, cases, default: fallback } = value;
  return {
    field: textIn(TITLE, field, [...path, "field"]),
    cases: Object.entries(cases).flatMap(([key, target]) =>
      typeof target === "string" ? [{ value: key, target }] : [],
    ),
    ...(typeof fallback === "string" ? { fallback } : {}),
  };
}

function emitGraph(source: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  // the program of a flow that was read has its own handlers
  const isOwn = source.source_type === "pipecat";
  const written = fromGraph(source, { ...ABILITIES, hasCode: !isOwn }, imported);
  const { flow, losses } = written;
  const global = flow.globals.map(writeFunction);
  const config: JsonObject = {
    initial_node: flow.initial,
    nodes: Object.fromEntries(flow.nodes.map((node) => [node.id, writeNode(node)])),
    ...(global.length > 0 ? { global_functions: global } : {}),
  };
  return { config, ...(isOwn ? {} : { files: pythonFiles(written) }), losses: losses.all() };
}

function writeNode({ role, messages, functions, pre, post, strategy, responds }: FlowNode): JsonObject {
  const list = (key: string, items: readonly unknown[]) => (items.length > 0 ? { [key]: items } : {});
  return {
    ...defined({ role_message: plainInstruction(role) }),
    ...list("pre_actions", pre),
    task_messages: messages,
    ...defined({ respond_immediately: responds, context_strategy: contextStrategy(strategy, "name") }),
    ...list("functions", functions.map(writeFunction)),
    ...list("post_actions", post),
  };
}

function writeFunction({ name, description, to, isOnly }: FlowFunction): JsonObject {
  const target = to === undefined || typeof to === "string" ? to : writeBranch(to);
  return isOnly
    ? { name, transition_only: true, description: description ?? name, transition_to: target }
    : { name, ...defined({ transition_to: target }) };
}

function writeBranch({ field, cases, fallback }: FlowBranch): JsonObject {
  const entries = cases.map(({ value, target }) => [value, target]);
  return { field, cases: Object.fromEntries(entries), ...defined({ default: fallback }) };
}
