import {
  canonicalJson,
  dropAt,
  freeName,
  getAt,
  type JsonObject,
  own,
  recordAt,
  recordsAt,
  replaceAt,
  setAt,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, NodeType, ToolDefinition, Transition } from "../../../src/document/graph/mod.ts";
import { type IdReader, readId, writeId } from "./directory.ts";
import { homeOf } from "./members.ts";
import { isText } from "./prompt.ts";
import { isNamed, listOf, settingsOf } from "./tool.ts";

/** Node types for tools that end the conversation. */
const CALL_TOOLS: ReadonlyMap<string | null | undefined, NodeType> = new Map([
  ["end_call", "end"],
  ["transfer_call", "transfer"],
]);

/** Place of the message that is spoken before a tool runs. */
const WORDS = ["messages", 0, "content"] as const;

/**
 * Replaces tools that end the conversation by end and transfer nodes, so that they also end simulated calls. Tools that
 * differ only in their description and list become one node.
 */
export function liftCalls(graph: AgentGraph): AgentGraph {
  const ids = callIds(Object.keys(graph.nodes));
  const lifted = new Map<string, AgentNode>();
  const nodes = Object.entries(graph.nodes).map(([key, node]): [string, AgentNode] => {
    const transitions = node.tools.filter(isCallTool).map((tool): Transition => {
      const id = readId(tool, ids);
      if (!lifted.has(id)) lifted.set(id, callNode(tool, id));
      const told = toldBy(tool);
      const condition = { type: "llm_prompt" as const, value: told ?? tool.description };
      const kept = { list: listOf(tool), ...(told === undefined ? {} : { told: "destinations" }) };
      return { target_node_id: id, condition, metadata: { vapi: kept } };
    });
    const tools = node.tools.filter((tool) => !isCallTool(tool));
    return [key, { ...node, tools, transitions: [...node.transitions, ...transitions] }];
  });
  return lifted.size === 0 ? graph : { ...graph, nodes: Object.fromEntries([...nodes, ...lifted]) };
}

/** Reverts {@link liftCalls}: replaces transitions from imported members to these nodes by the original tools. */
export function lowerCalls(graph: AgentGraph): AgentGraph {
  const isCall = (id: string) => id !== graph.entry_node_id && isPlainCall(own(graph.nodes, id));
  if (!Object.keys(graph.nodes).some(isCall)) return graph;
  const needed = new Set<string>();
  const ids = callIds(Object.keys(graph.nodes).filter((id) => !isCall(id)));
  const lowered = (node: AgentNode): AgentNode => {
    const isNative = homeOf(node) !== undefined;
    const tools: ToolDefinition[] = [];
    const transitions = node.transitions.filter((transition) => {
      const target = own(graph.nodes, transition.target_node_id);
      const { type, equations } = transition.condition;
      const isPlain = type === "llm_prompt" && !equations?.length && !transition.timing && !transition.description;
      if (!isNative || !target || !isPlain || !isCall(target.id)) {
        needed.add(transition.target_node_id);
        return true;
      }
      tools.push(writeId(callTool(target, transition), target.id, ids, (tool) => withName(tool, target.id)));
      return false;
    });
    return { ...node, transitions, tools: [...node.tools, ...tools] };
  };
  // assign ids in the order of import: the entry node first, then in key order
  const read = Object.keys({ [graph.entry_node_id]: undefined, ...graph.nodes });
  const written = new Map(read.flatMap((id) => own(graph.nodes, id) ?? []).map((node) => [node.id, lowered(node)]));
  const left = Object.entries(graph.nodes).filter(([id]) => needed.has(id) || !isCall(id));
  return { ...graph, nodes: Object.fromEntries(left.map(([id, node]) => [id, written.get(id) ?? node])) };
}

/** Returns when to call a tool that only its destinations describe. */
function toldBy(tool: ToolDefinition): string | undefined {
  const texts = recordsAt(settingsOf(tool) ?? {}, ["destinations"]).map(({ description }) => description);
  return tool.description === ""
    ? texts.filter((text) => isText(text) && text !== "").join("; ") || undefined
    : undefined;
}

const isCallTool = ({ type }: ToolDefinition) => CALL_TOOLS.has(type);

/** Whether a node was made from a tool and can still be written as one. */
function isPlainCall(node: AgentNode | undefined): boolean {
  if (!node || !getAt(node.metadata, ["vapi", "call"]) || node.global_node_setting) return false;
  if (node.node_type !== "end" && node.node_type !== "transfer") return false;
  const speaks = node.state_prompt === "" || node.instruction_type === "static_text";
  return speaks && node.tools.length + node.transitions.length + node.variables_to_extract.length === 0;
}

/** Returns the fields and settings of a tool that do not depend on the transition to it. */
function contentOf(tool: ToolDefinition) {
  const { description: _, metadata: __, ...call } = tool;
  const given = settingsOf(tool) ?? {};
  const isInside = typeof getAt(given, ["function", "description"]) === "string";
  const settings = isInside ? [["function", "description"], ["description"]].reduce(dropAt, given) : given;
  return { call, tool: canonicalJson(settings.function) === "{}" ? dropAt(settings, ["function"]) : settings };
}

/**
 * Assigns ids to the nodes of tools: the name of the tool in the document, or its type, with a number if it is taken.
 * Tools with the same content share an id.
 */
function callIds(nodes: readonly string[]): IdReader<ToolDefinition> {
  const taken = new Set(nodes);
  const known = new Map<string, string>();
  const keyOf = (tool: ToolDefinition) => canonicalJson(contentOf(tool));
  return {
    next: (tool) =>
      known.get(keyOf(tool)) ??
      freeName(isNamed(tool) ? tool.name : (tool.type ?? ""), (each) => taken.has(each), { joint: "_" }),
    take: (tool, id) => {
      known.set(keyOf(tool), id);
      taken.add(id);
    },
  };
}

function withName(tool: ToolDefinition, name: string): ToolDefinition {
  const settings = settingsOf(tool) ?? {};
  const named = isNamed(tool) ? settings : setAt(settings, ["function", "name"], "");
  return { ...tool, name, metadata: { vapi: { list: listOf(tool), tool: named } } };
}

function callNode(tool: ToolDefinition, id: string): AgentNode {
  const { call, tool: settings } = contentOf(tool);
  const words = startMessage(settings);
  return {
    id,
    node_type: CALL_TOOLS.get(tool.type) ?? "end",
    state_prompt: words,
    ...(words === "" ? {} : { instruction_type: "static_text" as const }),
    tools: [],
    transitions: [],
    variables_to_extract: [],
    metadata: { vapi: { call: { ...call, node_id: id }, tool: settings } },
  };
}

/** Returns the message of a tool whose only message is spoken before it runs. */
function startMessage(settings: JsonObject): string {
  const words = getAt(settings, WORDS);
  const isOnly = Array.isArray(settings.messages) && settings.messages.length === 1;
  return isOnly && getAt(settings, ["messages", 0, "type"]) === "request-start" && isText(words) ? words : "";
}

/** Returns the tool that a node was made from, for a transition to the node. */
function callTool(node: AgentNode, { condition, metadata }: Transition): ToolDefinition {
  const kept = recordAt(node.metadata, "vapi");
  const { list, told } = recordAt(metadata ?? {}, "vapi");
  const { node_id: id, name, ...call } = recordAt(kept, "call");
  const tool = {
    ...call,
    name: typeof name === "string" ? name : node.id,
    type: node.node_type === "end" ? "end_call" : "transfer_call",
    description: condition.value,
    metadata: {
      vapi: { list, tool: withWords(recordAt(kept, "tool"), node.state_prompt) },
    },
  };
  const lowered = told === "destinations" ? withTold(tool) : tool;
  return node.id === id ? lowered : withName(lowered, node.id);
}

/** Writes a description into the only destination; into the tool if its several destinations say something else. */
function withTold(tool: ToolDefinition & { readonly metadata: JsonObject }): ToolDefinition {
  const bare = { ...tool, description: "" };
  if (toldBy(bare) === tool.description) return bare;
  const settings = settingsOf(tool) ?? {};
  if (recordsAt(settings, ["destinations"]).length !== 1) return tool;
  const place = ["destinations", 0, "description"];
  const told = replaceAt(settings, place, tool.description);
  return { ...bare, metadata: { vapi: { list: listOf(tool), tool: told } } };
}

function withWords(settings: JsonObject, words: string): JsonObject {
  if (startMessage(settings) === words) return settings;
  if (startMessage(settings) !== "")
    return words === "" ? { ...settings, messages: [] } : setAt(settings, WORDS, words);
  return { ...settings, messages: [{ type: "request-start", content: words, blocking: true }] };
}
