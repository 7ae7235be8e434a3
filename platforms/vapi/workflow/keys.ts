import { getAt, isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { NodeType } from "../../../src/document/graph/mod.ts";
import { openEnvelope } from "../shared/mod.ts";

/** Node types of all generations, in lower case; SDK 0.4 capitalized them. */
const KNOWN_TYPES = [
  ...["conversation", "tool", "say", "gather", "apirequest", "hangup", "transfer", "global", "end", "endcall"],
  ...["start", "transfercall", "function", "api-request"],
];

/** Returns a node's type, normalized across generations. */
export function kindOf(raw: JsonObject): string {
  const type = typeof raw.type === "string" ? raw.type.toLowerCase() : "conversation";
  if (type === "tool") {
    const tool = String(getAt(raw, ["tool", "type"]) ?? "").toLowerCase();
    return tool === "endcall" || tool === "transfercall" ? tool : "function";
  }
  if (type === "apirequest" || type === "api-request") return "apirequest";
  if (type === "hangup" || type === "end") return "endcall";
  return type === "transfer" ? "transfercall" : type;
}

/** Returns the node type in the graph. */
export function nodeType(raw: JsonObject): NodeType {
  const kind = kindOf(raw);
  if (kind === "endcall" || kind === "transfercall") return kind === "endcall" ? "end" : "transfer";
  return kind === "function" || kind === "apirequest" ? "function" : "conversation";
}

/** Keys of other platforms' documents that also contain `nodes`. */
const FOREIGN_KEYS = [
  ...["start_node_id", "entry_node_id", "conversation_flow_id", "conversation_flow_component_id", "model_choice"],
];

/** Returns the likelihood that an object is a workflow: it has named nodes, and edges in a list beside them. */
export function workflowLikeness(record: JsonObject): number {
  const { nodes, edges } = record;
  if (!Array.isArray(nodes) || nodes.length === 0) return 0;
  const records = nodes.filter(isRecord);
  const named = records.filter(isNamed);
  if (records.some((node) => Array.isArray(node.edges) || isRecord(node.instruction))) return 0;
  if (FOREIGN_KEYS.some((key) => Object.hasOwn(record, key)) || !records.some(isOwn)) return 0;
  if (named.length === 0) return Array.isArray(edges) && records.some(hasKnownType) ? 0.5 : 0;
  if (Array.isArray(edges)) return Math.max(0.1, (0.9 * records.filter(isReadable).length) / records.length);
  // without edges only the nodes differ: Retell's nodes have ids, Vapi's have names
  const isVapis = named.every((node) => typeof node.name === "string" && node.id === undefined);
  return named.some(hasKnownType) ? (isVapis ? 0.85 : 0.6) : 0;
}

/** Keys of nodes that other tools do not have. */
const OWN_KEYS = [
  ...["isStart", "messagePlan", "variableExtractionPlan", "globalNodePlan", "toolIds", "tool", "assistant", "exact"],
  ...["literalTemplate", "systemPrompt", "extractVariables"],
];
/** Types that other tools use too. */
const COMMON_TYPES = ["tool", "global", "end", "start", "transfer", "function"];

/** Whether a node can only be one of Vapi's, by its keys or its type: other tools have nodes and edges too. */
function isOwn(node: JsonObject): boolean {
  if (OWN_KEYS.some((key) => Object.hasOwn(node, key)) || isRecord(getAt(node, ["data", "assistant"]))) return true;
  return hasKnownType(node) && !COMMON_TYPES.includes(String(node.type).toLowerCase()) && !isRecord(node.data);
}

const isNamed = ({ name, id }: JsonObject) => typeof name === "string" || typeof id === "string";

/** Whether a node can be one of a workflow, judged by its type. */
export const isReadable = (raw: JsonObject) => hasKnownType(raw) || (raw.type === undefined && isNamed(raw));

/** Whether any generation had the node's type. */
const hasKnownType = ({ type }: JsonObject) => typeof type === "string" && KNOWN_TYPES.includes(type.toLowerCase());

/** Finds the workflow in a document: bare, in an envelope or in a list. */
export const openWorkflow = (document: unknown) =>
  openEnvelope(document, ["workflow", "workflows"], (record) => workflowLikeness(record) > 0);
