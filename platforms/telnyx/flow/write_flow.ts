import type { Path } from "../../../src/base/errors.ts";
import {
  isRecord,
  type JsonObject,
  Names,
  omit,
  own,
  recordAt,
  records,
  sameJson,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { type LoweredGraph, type LoweredNode, transitionPath } from "../../lower/mod.ts";
import { INSTRUCTIONS_TAG, isText, LENS, type Lose, lensOf, OWNER, ownKeys, QUIET } from "../shared/mod.ts";
import { keptCondition } from "./edges.ts";
import { TRUE } from "./expressions.ts";
import { nodeSettings, type PlannedNode, type PlannedTool, planNodes, SharedTools } from "./plan.ts";
import { destinationWords, isInherited, isUnresolved, writeTool } from "./tools.ts";
import { loseUnfollowed, type PathOut, pathsOut, type WaysContext } from "./ways.ts";

/** What the parts of a flow are written with. */
interface FlowContext extends WaysContext {
  /** Instructions that all prompt nodes append theirs to. */
  readonly general: string | undefined;
  /** Whether nodes that do so begin with the tag. */
  readonly hasTags: boolean;
}

/** The parts of a flow, collected while its nodes are written. */
interface FlowParts {
  readonly nodes: JsonObject[];
  readonly edges: JsonObject[];
  readonly nodeIds: Names;
  readonly edgeIds: Names;
  /** Ids of edges that are written. */
  readonly claimed: Set<string>;
  readonly shared: SharedTools;
  /** The tools of the assistant itself. */
  readonly common: readonly ToolDefinition[];
}

/** Writes the flow of an assistant, and the tools of the assistant itself. */
export function writeFlow(context: FlowContext, imported: AgentGraph | undefined): JsonObject {
  const { graph, native, lose } = context;
  const common = commonTools(graph);
  const plan = planNodes(graph, native, lose);
  const tools = plan.flatMap(({ tools }) => tools.filter(({ tool }) => !keepsCommon(tool, common)));
  const all = Object.values(graph.nodes);
  const given = all.flatMap(({ transitions }) => transitions.map((each) => ownKeys(each).id).filter(isText));
  const before = Object.values(imported?.nodes ?? {}).flatMap((node) => node.tools);
  const parts: FlowParts = {
    nodes: [],
    edges: [],
    nodeIds: new Names(
      all.map(({ id }) => id),
      { joint: "_" },
    ),
    edgeIds: new Names(given),
    claimed: new Set(),
    shared: new SharedTools(tools, native, before, lose),
    common,
  };
  for (const each of plan) writeNode(each, parts, context);
  loseUnfollowed(context);
  const reached = new Set(all.flatMap(({ transitions }) => transitions.map((each) => each.target_node_id)));
  for (const node of all)
    if (isText(ownKeys(node).assistant_id) && !reached.has(node.id)) lose("no-edge", ["nodes", node.id], node.id);
  const { nodes, edges } = parts;
  const ids = common.flatMap(({ tool_id: id }) => (isText(id) ? [id] : []));
  const listed = common.filter((tool) => !isUnresolved(tool));
  const json = (tool: ToolDefinition) => ({
    ...writeTool(tool, native, [], QUIET),
    ...(isText(tool.tool_id) ? { shared: true } : {}),
  });
  return {
    ...(listed.length > 0 ? { tools: listed.map(json) } : {}),
    ...(ids.length > 0 ? { tool_ids: ids } : {}),
    conversation_flow: { start_node_id: graph.entry_node_id, nodes, edges },
  };
}

const unmarked = (tool: ToolDefinition): ToolDefinition => {
  const { [OWNER]: _, ...others } = tool.metadata ?? {};
  const lens = omit(lensOf(tool), ["inherited"]);
  const settings = { ...omit(ownKeys(tool), [LENS]), ...(Object.keys(lens).length > 0 ? { [LENS]: lens } : {}) };
  return { ...tool, metadata: Object.keys(settings).length > 0 ? { ...others, [OWNER]: settings } : others };
};

const keepsCommon = (tool: ToolDefinition, common: readonly ToolDefinition[]) =>
  isInherited(tool) && common.some((each) => sameJson(each, unmarked(tool)));

/** The tools of the assistant itself: those that all nodes with its tools agree on, else those that were imported. */
function commonTools({ nodes, source_metadata: source }: AgentGraph): readonly ToolDefinition[] {
  const { tools } = recordAt(recordAt(source, OWNER), LENS);
  // records of the importer, which are tools
  const imported = records(tools) as readonly unknown[] as readonly ToolDefinition[];
  const lists = Object.values(nodes).map((node) => node.tools.filter(isInherited).map(unmarked));
  const [first, ...others] = lists.filter((list) => list.length > 0);
  return first && others.every((each) => sameJson(each, first)) ? first : imported;
}

function writeNode({ node, as, tools }: PlannedNode, parts: FlowParts, context: FlowContext): void {
  if (as === "none") return;
  const { id } = node;
  const path = ["nodes", id];
  const settings = nodeSettings(node);
  const isTerminal = node.node_type === "end" || node.node_type === "transfer";
  const [first] = tools;
  if (as === "speak" || as === "speak-then") {
    loseSpeak(node, as, path, context.lose);
    parts.nodes.push({ id, type: "speak", ...settings, message: node.state_prompt });
    if (as === "speak") {
      writeEdges(node, id, "speak", parts, context);
      return;
    }
    const next = parts.nodeIds.take(`${id}_${isTerminal ? "call" : "reply"}`);
    addEdge(id, { type: "node", node_id: next }, { type: "default" }, parts);
    if (first && isTerminal) parts.nodes.push(toolNode(next, {}, first, parts));
    else {
      parts.nodes.push(
        promptNode(next, {}, "", { ...node, tools: tools.map(({ tool }) => tool) }, tools, parts, context),
      );
      writeEdges(node, next, "prompt", parts, context);
    }
    return;
  }
  const isOneOf = node.node_type === "transfer" && first !== undefined && parts.shared.isMerged(first.tool);
  if (as === "tool" && first && !isOneOf) {
    parts.nodes.push(toolNode(id, settings, first, parts));
    if (!isTerminal) writeEdges(node, id, "tool", parts, context);
    return;
  }
  if (isOneOf) context.lose("transfer-tools", path);
  parts.nodes.push(promptNode(id, settings, promptOf(node, first?.tool, parts.shared), node, tools, parts, context));
  if (!isTerminal) writeEdges(node, id, "prompt", parts, context);
}

/** The instructions of a prompt node; one that stands for another type of node is told what to do. */
function promptOf(node: LoweredNode, tool: ToolDefinition | undefined, shared: SharedTools): string {
  if (node.node_type === "conversation" || !tool) return node.state_prompt;
  const to = node.node_type === "transfer" ? destinationWords(tool) : "";
  const names = shared.isMerged(tool) ? node.variables_to_extract.map(({ name }) => name).join(", ") : "";
  const what = names === "" ? "" : ` for these variables only: ${names}`;
  const order = `Call the tool "${shared.calledAs(tool)}"${to === "" ? what : ` to transfer the call to ${to}`}.`;
  return node.state_prompt === "" ? order : `${node.state_prompt}\n\n${order}`;
}

function loseSpeak(node: LoweredNode, as: "speak" | "speak-then", path: Path, lose: Lose): void {
  const { node_type: type, transitions, tools } = node;
  if (type === "conversation" && as === "speak-then") lose("static-text", [...path, "instruction_type"]);
  if (as === "speak-then") return;
  for (const [index, { condition, timing }] of transitions.entries())
    if (condition.type === "always" && timing !== "skip_response")
      lose("timing", [...transitionPath(node, index), "timing"], timing ?? "after_speech");
  for (const [index, { name }] of tools.entries()) lose("node-tools", [...path, "tools", index], name);
}

const toolNode = (id: string, settings: JsonObject, tool: PlannedTool, { shared }: FlowParts): JsonObject => {
  const { id: toolId, json } = shared.add(tool);
  const node = { id, type: "tool", ...settings, shared_tool_id: toolId };
  return json ? { ...node, tool: { ...json, shared: true } } : node;
};

function promptNode(
  id: string,
  settings: JsonObject,
  prompt: string,
  node: LoweredNode,
  tools: PlannedNode["tools"],
  parts: FlowParts,
  { native, general, hasTags }: FlowContext,
): JsonObject {
  const isTagged = hasTags && prompt.startsWith(INSTRUCTIONS_TAG);
  const mode = lensOf(node).mode === "append" || !native ? "append" : "replace";
  // those of the assistant come first
  const kept = tools.slice(0, parts.common.length).map(({ tool }) => (isInherited(tool) ? unmarked(tool) : tool));
  const inherits = parts.common.length > 0 && sameJson(kept, parts.common);
  const own = inherits ? tools.slice(parts.common.length) : tools;
  const shared = own.map((each) => parts.shared.add(each));
  const listed = shared.length > 0 || (parts.common.length > 0 && !inherits) || lensOf(node).inherits === "append";
  // without the others, tools say themselves which they are
  const isWhole = shared.every(({ json }) => json !== undefined);
  const resolved = shared.flatMap(({ id, json }) =>
    json ? [{ ...(isWhole ? {} : { id }), ...json, shared: true }] : [],
  );
  return {
    ...{ id, type: "prompt", ...settings },
    instructions: isTagged ? prompt.slice(INSTRUCTIONS_TAG.length).replace(/^\n\n/, "") : prompt,
    instructions_mode: general !== undefined || isTagged ? "append" : hasTags ? "replace" : mode,
    ...(listed ? { shared_tool_ids: shared.map((tool) => tool.id) } : {}),
    ...(listed ? { tools_mode: inherits && parts.common.length > 0 ? "append" : "replace" } : {}),
    ...(resolved.length > 0 ? { tools: resolved } : {}),
  };
}

type NodeKind = "prompt" | "speak" | "tool";

/** Writes the edges of a node. A tool or speak node with edges has one default edge. */
function writeEdges(node: LoweredNode, from: string, kind: NodeKind, parts: FlowParts, context: FlowContext): void {
  const { graph, lose } = context;
  const assistant = ownKeys(node).assistant_id;
  if (isText(assistant)) {
    addEdge(from, { type: "assistant", assistant_id: assistant }, { type: "expression", expression: TRUE }, parts);
    return;
  }
  const ways = pathsOut(node, context);
  let defaults = 0;
  const before = parts.edges.length;
  for (const out of ways) {
    const { first, last, way, path } = out;
    if (way.kind === "always" && kind !== "prompt" && ++defaults > 1) {
      lose("edge-taken", path, last.target_node_id);
      continue;
    }
    if (kind === "prompt") loseTiming(out, node, lose);
    const settings = omit(ownKeys(first), ["id", LENS, "voice_mode", "position"]);
    const target = targetOf(last.target_node_id, graph, ownKeys(first));
    addEdge(from, target, conditionOf(out, kind), parts, { ...settings, id: ownKeys(first).id });
  }
  if (kind === "prompt" || defaults > 0 || parts.edges.length === before) return;
  const id = parts.nodeIds.take(`${from}_wait`);
  lose("no-default", ["nodes", node.id]);
  addEdge(from, { type: "node", node_id: id }, { type: "default" }, parts);
  parts.nodes.push({ id, type: "prompt", instructions: "", instructions_mode: "append" });
}

/** Reports when an edge that is always true is taken at another time than the transition. */
function loseTiming({ first: { condition, timing }, path }: PathOut, node: LoweredNode, lose: Lose): void {
  if (node.node_type !== "conversation" || condition.type !== "always") return;
  // a call that comes to the node when the caller speaks may take another transition
  if (timing === "skip_response" || (timing !== "else" && node.transitions.length > 1))
    lose("timing", [...path, "timing"], timing ?? "after_speech");
  if (timing === "else") lose("else", [...path, "timing"]);
}

function conditionOf({ way, first, last }: PathOut, kind: NodeKind): JsonObject {
  const kept = first === last ? keptCondition(first) : undefined;
  if (kept) return kept;
  if (way.kind === "llm") return { type: "llm", prompt: way.prompt };
  if (way.kind === "expression") return { type: "expression", expression: way.expression };
  return kind === "prompt" ? { type: "expression", expression: TRUE } : { type: "default" };
}

function targetOf(id: string, { nodes, entry_node_id: entry }: LoweredGraph, edge: JsonObject): JsonObject {
  const { assistant_id: assistant } = ownKeys(own(nodes, id) ?? {});
  if (!isText(assistant) || id === entry) return { type: "node", node_id: id };
  const { voice_mode: voice, position } = edge;
  return {
    ...{ type: "assistant", assistant_id: assistant },
    ...(voice === undefined ? {} : { voice_mode: voice }),
    ...(isRecord(position) ? { position } : {}),
  };
}

function addEdge(
  from: string,
  target: JsonObject,
  condition: JsonObject,
  { edges, edgeIds, claimed }: FlowParts,
  { id: given, ...settings }: JsonObject = {},
): void {
  const isFree = isText(given) && !claimed.has(given);
  const to = String(target.node_id ?? target.assistant_id);
  const id = isFree ? given : edgeIds.take(`edge-${from}-to-${to}`);
  claimed.add(id);
  edges.push({ ...settings, id, start_node_id: from, target, condition });
}
