import { getAt, isRecord, own } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  goesOnAtOnce,
  isSilent,
  isTerminal,
  type Transition,
  wayAfterFailedTransfer,
  waysAfterSpeech,
} from "../../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";

/**
 * The transitions that continue a turn from a node without the caller being heard: all of a silent node; after speech,
 * those that skip the response or end the call at once.
 */
export function stepsInTurn(graph: AgentGraph, node: AgentNode): readonly Transition[] {
  if (node.node_type === "end") return [];
  if (node.node_type === "transfer") return [wayAfterFailedTransfer(node) ?? []].flat();
  if (isSilent(node)) return node.transitions;
  const { withoutModel: free, otherwise } = waysAfterSpeech(node);
  return otherwise && goesOn(graph, node, otherwise) ? [...free, otherwise] : free;
}

/** Whether a turn continues at the target of a transition: a conversation node reached after speech waits for the caller. */
export function goesOn(graph: AgentGraph, node: AgentNode, transition: Transition): boolean {
  if (node.node_type !== "conversation" || transition.timing === "skip_response") return true;
  const target = own(graph.nodes, transition.target_node_id);
  return target !== undefined && goesOnAtOnce(transition, target);
}

/** Whether a node is only a reference to an assistant that is saved at its platform, with a prompt and tools of its own. */
export function isElsewhere({ metadata }: AgentNode): boolean {
  return PLATFORM_NAMES.some((name) => {
    const { ids, unless } = PLATFORM_DATA[name].keys.savedNode;
    const settings = metadata[name];
    return (
      ids.some((path) => typeof getAt(settings, path) === "string") &&
      !unless.some((path) => isRecord(getAt(settings, path)))
    );
  });
}

/** The nodes that calls can reach. A node whose content is elsewhere may lead to every other. */
export function reachedIn(graph: AgentGraph): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [graph.entry_node_id, ...globalIds(graph)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = own(graph.nodes, id);
    if (!node || reached.has(id)) continue;
    if (isElsewhere(node)) return new Set(Object.keys(graph.nodes));
    reached.add(id);
    for (const { target_node_id: target } of node.transitions) open.push(target);
  }
  return reached;
}

/** Whether a node can end the call: by its type, or with one of its tools. */
export function canEndCall(node: AgentNode): boolean {
  if (isTerminal(node) || isElsewhere(node)) return true;
  return node.tools.some((tool) => tool.type !== "custom" && /end|transfer|handoff|swap/i.test(tool.type ?? ""));
}

/** Ids of the nodes that can be entered from every conversation node. */
export function globalIds(graph: AgentGraph): readonly string[] {
  return Object.entries(graph.nodes).flatMap(([id, node]) => (node.global_node_setting ? [id] : []));
}
