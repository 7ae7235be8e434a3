import type { AgentGraph, AgentNode, NodeType, ToolDefinition, Transition } from "../../../src/graph/mod.ts";
import { canonicalJson, isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { keptAliases } from "./aliases.ts";
import { recordOr } from "./directory.ts";
import { getAt, isText, setAt } from "./json_path.ts";
import { readIndex } from "./order.ts";
import { toolPlace, withoutEmptied } from "./tool.ts";
import { rankOf } from "./tool_lists.ts";

/** Tools that end the conversation, the nodes that they are, and the ids that these have when the tool has no name. */
const CALL_TOOLS: ReadonlyMap<string, { readonly type: NodeType; readonly id: string }> = new Map([
  ["end_call", { type: "end", id: "end_call" }],
  ["transfer_call", { type: "transfer", id: "transfer_call" }],
]);

/** A name that is given can take another node's number away. */
const MAX_PASSES = 4;

/** Where the words stand that a tool speaks to the letter before it runs. */
const WORDS = ["messages", 0, "content"] as const;

/**
 * Makes end and transfer nodes of the tools that end the conversation, so that a simulated call ends by them, too. Tools
 * that differ in nothing but their description and place are one node.
 */
export function liftCalls(graph: AgentGraph): AgentGraph {
  const ids = new Set(Object.keys(graph.nodes));
  const lifted = new Map<string, AgentNode>();
  const nodes = Object.entries(graph.nodes).map(([key, node]): [string, AgentNode] => {
    const transitions = node.tools.flatMap((read): Transition[] => {
      if (!CALL_TOOLS.has(read.type ?? "")) return [];
      const tool = withoutEmptied(read);
      const content = canonicalJson(contentOf(tool));
      const known = lifted.get(content) ?? callNode(tool, ids);
      lifted.set(content, known);
      const { list, index, from } = recordOr(tool.metadata?.vapi);
      const condition = { type: "llm_prompt" as const, value: tool.description };
      return [{ target_node_id: known.id, condition, metadata: { vapi: { call: { list, index, from } } } }];
    });
    if (transitions.length === 0) return [key, node];
    const tools = node.tools.filter((tool) => !CALL_TOOLS.has(tool.type ?? ""));
    return [key, { ...node, tools, transitions: [...node.transitions, ...transitions] }];
  });
  const calls = [...lifted.values()].map((node) => [node.id, node] as const);
  return calls.length === 0 ? graph : { ...graph, nodes: Object.fromEntries([...nodes, ...calls]) };
}

/** Makes tools again of the nodes that were made of tools, at every node of Vapi's that leads to them. */
export function lowerCalls(graph: AgentGraph): AgentGraph {
  const isCall = (id: string) => id !== graph.entry_node_id && isPlainCall(own(graph.nodes, id));
  const calls = Object.keys(graph.nodes).filter(isCall);
  if (calls.length === 0) return graph;
  const needed = new Set<string>();
  const nodeOf = new Map<ToolDefinition, string>();
  const nodes = Object.entries(graph.nodes).map(([key, node]): [string, AgentNode] => {
    if (!isRecord(recordOr(node.metadata.vapi).home)) {
      for (const { target_node_id: target } of node.transitions) needed.add(target);
      return [key, node];
    }
    const tools: ToolDefinition[] = [];
    const transitions = node.transitions.filter((transition) => {
      const target = own(graph.nodes, transition.target_node_id);
      const { type, equations } = transition.condition;
      const isPlain = type === "llm_prompt" && !equations?.length && !transition.timing && !transition.description;
      if (!target || !isPlain || !isCall(target.id)) {
        needed.add(transition.target_node_id);
        return true;
      }
      const tool = callTool(target, transition);
      tools.push(tool);
      nodeOf.set(tool, target.id);
      return false;
    });
    return tools.length === 0 ? [key, node] : [key, { ...node, transitions, tools: merged(node.tools, tools) }];
  });
  const left = nodes.filter(([id]) => needed.has(id) || !isCall(id));
  const read = inOrder(left, graph.entry_node_id).flatMap(([, node]) =>
    node.tools.flatMap((tool) => {
      const id = nodeOf.get(tool);
      return id === undefined ? [] : [[tool, id] as const];
    }),
  );
  const others = left.map(([id]) => id).filter((id) => !isCall(id));
  const named = nodesToName(read, others);
  const renamed = left.map(([key, node]): [string, AgentNode] => {
    const tools = node.tools.map((tool) => {
      const id = nodeOf.get(tool);
      return id !== undefined && named.has(id) ? withName(tool, id) : tool;
    });
    return [key, { ...node, tools }];
  });
  return { ...graph, nodes: Object.fromEntries(renamed) };
}

/** Nodes in the order in which they are read back: the entry node, then the members as they stood, as an object keeps them. */
function inOrder(nodes: readonly [string, AgentNode][], entry: string): readonly [string, AgentNode][] {
  const rank = ([id, node]: readonly [string, AgentNode]) => {
    const { place } = recordOr(node.metadata.vapi);
    return id === entry ? -1 : typeof place === "number" ? place : Number.MAX_SAFE_INTEGER;
  };
  return Object.entries(Object.fromEntries([...nodes].sort((a, b) => rank(a) - rank(b))));
}

/** Whether a node was made of a tool and still is no more than one. */
function isPlainCall(node: AgentNode | undefined): boolean {
  if (!node || !isRecord(recordOr(node.metadata.vapi).call) || node.global_node_setting) return false;
  if (node.node_type !== "end" && node.node_type !== "transfer") return false;
  const speaks = node.state_prompt === "" || node.instruction_type === "static_text";
  return speaks && node.tools.length + node.transitions.length + node.variables_to_extract.length === 0;
}

/** A tool without what belongs to the way to it. */
function contentOf(tool: ToolDefinition): JsonObject {
  const kept = omit(recordOr(tool.metadata?.vapi), ["list", "index", "from"]);
  return { ...omit({ ...tool }, ["description", "metadata"]), kept };
}

function callKind(tool: ToolDefinition): { readonly type: NodeType; readonly id: string } {
  return CALL_TOOLS.get(tool.type ?? "") ?? { type: "end", id: "end_call" };
}

/** The id of a tool's node: the name that the document gives it, else one for its kind; numbered where it is taken. */
function freshId(tool: ToolDefinition, ids: Set<string>): string {
  const isNamed = recordOr(recordOr(tool.metadata?.vapi).from).name !== undefined;
  const base = isNamed ? tool.name : callKind(tool).id;
  let id = base;
  for (let number = 2; ids.has(id); number++) id = `${base}_${number}`;
  ids.add(id);
  return id;
}

/**
 * The nodes whose tools must be given the node's id as their name, because they would be read back under another one.
 *
 * @param tools Tools in the order in which they are read, each with the id of its node.
 * @param taken Ids of the nodes that are no tools.
 */
function nodesToName(tools: readonly (readonly [ToolDefinition, string])[], taken: readonly string[]): Set<string> {
  const named = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const ids = new Set(taken);
    const known = new Map<string, string>();
    const before = named.size;
    for (const [tool, nodeId] of tools) {
      const written = named.has(nodeId) ? withName(tool, nodeId) : tool;
      const content = canonicalJson(contentOf(written));
      const id = known.get(content) ?? freshId(written, ids);
      known.set(content, id);
      if (id !== nodeId) named.add(nodeId);
    }
    if (named.size === before) break;
  }
  return named;
}

function withName(tool: ToolDefinition, name: string): ToolDefinition {
  const kept = recordOr(tool.metadata?.vapi);
  return {
    ...tool,
    name,
    metadata: { vapi: { ...kept, from: { name: ["function", "name"], ...recordOr(kept.from) } } },
  };
}

function callNode(tool: ToolDefinition, ids: Set<string>): AgentNode {
  const { type } = callKind(tool);
  const raw = recordOr(recordOr(tool.metadata?.vapi).tool);
  const id = freshId(tool, ids);
  const words = wordsOf(raw);
  return {
    id,
    node_type: type,
    state_prompt: words,
    ...(words === "" ? {} : { instruction_type: "static_text" as const }),
    tools: [],
    transitions: [],
    variables_to_extract: [],
    metadata: {
      vapi: {
        call: omit({ ...tool }, ["description", "metadata"]),
        id,
        tool: raw,
        ...keptAliases(tool.metadata?.vapi),
      },
    },
  };
}

/** The words of a tool whose only message is spoken before it runs. */
function wordsOf(raw: JsonObject): string {
  const words = getAt(raw, WORDS);
  const isOnly = Array.isArray(raw.messages) && raw.messages.length === 1;
  return isOnly && getAt(raw, ["messages", 0, "type"]) === "request-start" && isText(words) ? words : "";
}

/** The tool that a node was made of, for one of the ways to it. */
function callTool(node: AgentNode, transition: Transition): ToolDefinition {
  const { call, id, tool, ...rest } = recordOr(node.metadata.vapi);
  const kept = recordOr(call);
  const name = node.id === id && typeof kept.name === "string" ? kept.name : node.id;
  const type = node.node_type === "end" ? "end_call" : "transfer_call";
  const place = recordOr(recordOr(transition.metadata?.vapi).call);
  const from = { ...recordOr(place.from), ...(node.id === id ? {} : { name: ["function", "name"] }) };
  return {
    ...kept,
    name,
    type,
    description: transition.condition.value,
    metadata: { vapi: { ...place, from, tool: withWords(recordOr(tool), node.state_prompt), ...keptAliases(rest) } },
  };
}

function withWords(raw: JsonObject, words: string): JsonObject {
  if (wordsOf(raw) === words) return raw;
  if (wordsOf(raw) !== "") return words === "" ? { ...raw, messages: [] } : setAt(raw, WORDS, words);
  return { ...raw, messages: [{ type: "request-start", content: words, blocking: true }] };
}

/** Puts tools back between those that they stood between; among themselves they keep the order of the transitions. */
function merged(tools: readonly ToolDefinition[], calls: readonly ToolDefinition[]): ToolDefinition[] {
  const result = [...tools];
  let start = 0;
  for (const call of calls) {
    const at = placeOf(call);
    const before = result.findIndex((tool, index) => index >= start && at !== undefined && (placeOf(tool) ?? -1) > at);
    const position = before < 0 ? result.length : before;
    result.splice(position, 0, call);
    start = position + 1;
  }
  return result;
}

/** A tool's list and its place there as one number; lists are shorter than that. */
function placeOf(tool: ToolDefinition): number | undefined {
  const { list, index } = toolPlace(tool);
  const rank = rankOf(list);
  return rank === undefined || readIndex(index) === undefined ? undefined : rank * 1e9 + (index ?? 0);
}
