import { canonicalJson, isRecord, type JsonObject, omit, own, pick } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { type EmitContext, workOf } from "../plan/mod.ts";
import { splitGuide } from "../prompt/mod.ts";
import { extrasOfGraph, extrasOfNode } from "../settings/mod.ts";
import type { WorkTools } from "../tools/mod.ts";
import { hintOfTool, shapeOf } from "./held.ts";

/** Key of a transfer's destination in other platforms' settings. */
const DESTINATION_KEY = "transfer_destination";

/** Keys of `source_metadata` that the graph models. They are kept in the metadata of the entry node's assistant. */
const HEAD_KEYS = ["name", "general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"];

/**
 * Distributes all nodes among the members, to store each node once: a member gets its own node, then the silent nodes
 * and ends on its routes that no earlier member has. Unreachable nodes go to the first member.
 */
export function nodesOfMembers(context: EmitContext): ReadonlyMap<string, readonly AgentNode[]> {
  const { source: graph, plan } = context;
  const taken = new Set(plan.members);
  const shares = plan.members.map((id) => {
    const reached = (plan.routes.get(id) ?? []).flatMap((route) => [...route.through, route.target]);
    const candidates = new Set([...workOf(id, context).map((node) => node.id), ...reached]);
    const mine = [...candidates].filter((each) => !taken.has(each));
    for (const each of mine) taken.add(each);
    return [id, ...mine];
  });
  shares[0]?.push(...Object.keys(graph.nodes).filter((id) => !taken.has(id)));
  return new Map(shares.map((ids) => [ids[0] ?? "", ids.flatMap((id) => own(graph.nodes, id) ?? [])]));
}

type HintTools = Pick<WorkTools, "tools" | "places">;

/**
 * Returns the metadata of an assistant from which the graph can be imported again: the nodes, without content that the
 * assistant itself contains.
 *
 * @param tools The assistant's tools, from which the graph's tools are restored, and their indexes.
 * @param content The system prompt, if the assistant speaks for only one node.
 */
export function memberHint(
  nodes: readonly AgentNode[],
  content: string | undefined,
  tools: HintTools,
  { source: graph }: EmitContext,
): JsonObject {
  const [first] = nodes;
  const isReadable =
    content !== undefined && promptIn(content, graph.source_metadata.general_prompt ?? "") === first?.state_prompt;
  return {
    node: first?.id,
    nodes: nodes.map((node, index) => {
      const plain = plainNode(node, tools);
      return index === 0 && isReadable ? omit(plain, ["state_prompt"]) : plain;
    }),
    ...shaped(first ? extrasOfNode(graph, first) : {}),
    ...(first?.id === graph.entry_node_id ? { graph: headOf(graph) } : {}),
  };
}

/** Returns a node's prompt within a system prompt, without the general prompt and the guide. */
export function promptIn(content: string, general: string): string | undefined {
  const [text] = splitGuide(content);
  if (general === "") return text;
  if (text === general) return "";
  return text.startsWith(`${general}\n\n`) ? text.slice(general.length + 2) : undefined;
}

function headOf(graph: AgentGraph): JsonObject {
  return {
    entry_node_id: graph.entry_node_id,
    order: Object.keys(graph.nodes),
    source_metadata: pick(graph.source_metadata, HEAD_KEYS),
    ...shaped(extrasOfGraph(graph)),
    snippets: graph.snippets,
    ...(graph.default_model === undefined ? {} : { default_model: graph.default_model }),
  };
}

function shaped(extras: JsonObject): JsonObject {
  return Object.keys(extras).length > 0 ? { extras: shapeOf(extras) } : {};
}

/** Removes platform settings from a node, except for the destination of a transfer. */
function plainNode(node: AgentNode, { tools, places }: HintTools): JsonObject {
  const { global_node_setting: setting, ...rest } = node;
  const kept = keptDestination(node);
  const destinations = node.node_type === "transfer" && !kept ? destinationsFor(node) : [];
  return {
    ...rest,
    tools: node.tools.map((tool) => hintOfTool(tool, tools, places.get(canonicalJson(tool)))),
    transitions: node.transitions.map((transition) => omit({ ...transition }, ["metadata"])),
    ...(setting ? { global_node_setting: omit({ ...setting }, ["metadata"]) } : {}),
    metadata: { ...kept, ...(destinations.length > 0 ? { [HINT_KEY]: { destinations } } : {}) },
  };
}

/** Returns the destination of a transfer in the settings of other platforms. */
function keptDestination(node: AgentNode): JsonObject | undefined {
  if (node.node_type !== "transfer") return undefined;
  const found = Object.entries(node.metadata).flatMap(([owner, settings]) => {
    const place = owner !== "vapi" && isRecord(settings) ? settings[DESTINATION_KEY] : undefined;
    return isRecord(place) ? [[owner, { [DESTINATION_KEY]: place }] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
