import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../../src/values/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { destinationOf, type EmitContext, workOf } from "../plan/mod.ts";
import { splitGuide } from "../prompt/mod.ts";
import { extrasOfGraph, extrasOfNode } from "../settings/mod.ts";
import { urlOf } from "../tools/mod.ts";
import { shapeOf } from "./extras_hint.ts";
import { hintOfTool } from "./tool_hint.ts";

/** Under which key other platforms keep where a transfer leads. */
const DESTINATION_KEY = "transfer_destination";

/** What of a graph no member can say: the first one carries it. */
const HEAD_KEYS = ["name", "general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"];

/**
 * The nodes that each member stands for, itself first: those whose work it is the first to do, and the ends that it is
 * the first to lead to. What nobody leads to is with the first member.
 */
export function nodesOfMembers(context: EmitContext): ReadonlyMap<string, readonly AgentNode[]> {
  const { source: graph, plan } = context;
  const taken = new Set(plan.members);
  const shares = new Map<string, AgentNode[]>();
  const nodeList = (ids: readonly string[]) =>
    ids.flatMap((id) => (Object.hasOwn(graph.nodes, id) ? (graph.nodes[id] ?? []) : []));
  for (const id of plan.members) {
    const reached = (plan.routes.get(id) ?? []).flatMap((route) => [...route.through, route.target]);
    const candidates = [...workOf(id, context).map((node) => node.id), ...reached];
    const mine = [...new Set(candidates)].filter((each) => !taken.has(each));
    for (const each of mine) taken.add(each);
    shares.set(id, nodeList([id, ...mine]));
  }
  const first = shares.get(graph.entry_node_id);
  first?.push(...nodeList(Object.keys(graph.nodes).filter((id) => !taken.has(id))));
  return shares;
}

/**
 * What is kept with an assistant so that the graph can be read back: the nodes as they are in the graph, but for a
 * prompt that can be read from the assistant itself.
 *
 * @param tools The assistant's own tools, which say what the graph's tools are.
 * @param content The system prompt that the first of the nodes was given; absent where several share one.
 */
export function memberHint(
  nodes: readonly AgentNode[],
  content: string | undefined,
  tools: readonly unknown[],
  context: EmitContext,
): JsonObject {
  const { source: graph } = context;
  const general = graph.source_metadata.general_prompt ?? "";
  const written = nodes.map((node, index) => {
    const plain = plainNode(node, tools, context);
    const readable = index === 0 && content !== undefined && promptIn(content, general) === node.state_prompt;
    return readable ? omit(plain, ["state_prompt"]) : plain;
  });
  const head = nodes[0]?.id === graph.entry_node_id ? { graph: headOf(graph) } : {};
  const extras = nodes[0] ? extrasOfNode(graph, nodes[0]) : {};
  return { node: nodes[0]?.id, nodes: written, ...shaped(extras), ...head };
}

/** A node's own prompt within the system prompt of its assistant: without what all have in common and without the guide. */
export function promptIn(content: string, general: string): string | undefined {
  const [text] = splitGuide(content);
  if (general === "") return text;
  if (text === general) return "";
  return text.startsWith(`${general}\n\n`) ? text.slice(general.length + 2) : undefined;
}

function headOf(graph: AgentGraph): JsonObject {
  const head = Object.entries(graph.source_metadata).filter(([key]) => HEAD_KEYS.includes(key));
  return {
    entry_node_id: graph.entry_node_id,
    order: Object.keys(graph.nodes),
    source_metadata: Object.fromEntries(head),
    ...shaped(extrasOfGraph(graph)),
    snippets: graph.snippets,
    ...(graph.default_model === undefined ? {} : { default_model: graph.default_model }),
  };
}

function shaped(extras: JsonObject): JsonObject {
  return Object.keys(extras).length > 0 ? { extras: shapeOf(extras) } : {};
}

/** A node without what platforms keep with it. */
function plainNode(node: AgentNode, tools: readonly unknown[], context: EmitContext): JsonObject {
  const { global_node_setting: setting, ...rest } = node;
  const kept = keptDestination(node);
  const destination = node.node_type === "transfer" && !kept ? destinationOf(node) : undefined;
  return {
    ...rest,
    tools: node.tools.map((tool, index) =>
      hintOfTool(tool, tools, urlOf(tool, ["nodes", node.id, "tools", index], context)),
    ),
    transitions: node.transitions.map((transition) => omit({ ...transition }, ["metadata"])),
    ...(setting ? { global_node_setting: omit({ ...setting }, ["metadata"]) } : {}),
    metadata: {
      ...kept,
      ...(destination ? { [HINT_KEY]: { destination } } : {}),
    },
  };
}

/** Where a transfer leads, as another platform keeps it: that much of its settings the squad holds, too. */
function keptDestination(node: AgentNode): JsonObject | undefined {
  if (node.node_type !== "transfer") return undefined;
  const owners = Object.entries(node.metadata).filter(([owner]) => owner !== "vapi");
  const found = owners.flatMap(([owner, settings]) =>
    isRecord(settings) && isRecord(settings[DESTINATION_KEY])
      ? [[owner, { [DESTINATION_KEY]: settings[DESTINATION_KEY] }] as const]
      : [],
  );
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** Whether what another platform keeps with a node is held in full: it says where a transfer leads, and nothing else. */
export function isHeldSetting(node: AgentNode, owner: string): boolean {
  const kept = keptDestination(node)?.[owner];
  const settings = node.metadata[owner];
  const said = isRecord(settings) ? omit(settings, ["lens"]) : settings;
  return kept !== undefined && sameJson(kept, said) && destinationOf(node) !== undefined;
}
