import { isRecord, own } from "../../../base/values/mod.ts";
import { type AgentGraph, type AgentNode, isSilent } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";

/** One step of a path: a transition, or a turn after which the call stayed at its node. */
export interface JudgedStep {
  /** Index of the message after which the step was taken. */
  readonly after: number;
  /** The caller's messages so far. */
  readonly turn: number;
  readonly node: string;
  /** `undefined`: the call stayed. */
  readonly to: string | undefined;
  /** The reason if no model decided; else empty. */
  readonly because: string;
  /** Whether the call had an alternative. */
  readonly isChoice: boolean;
}

/**
 * Lists the steps of a call's path, by the transitions in its transcript. A caller's message after which the agent spoke
 * without a transition is a step that stayed.
 */
export function pathSteps(graph: AgentGraph, transcript: readonly Message[]): readonly JudgedStep[] {
  const steps: JudgedStep[] = [];
  let turn = 0;
  let heardAt: string | undefined;
  for (const [index, message] of transcript.entries()) {
    const { role, node_id: id, metadata } = message;
    if (role === "user") {
      turn += 1;
      heardAt = id;
    }
    if (metadata.kind === "transition") {
      heardAt = undefined;
      steps.push(moveOf(graph, message, { after: index, turn }));
    }
    if (role === "assistant" && heardAt !== undefined) {
      const isChoice = othersAt(graph, heardAt, undefined) > 0;
      steps.push({ after: index - 1, turn, node: heardAt, to: undefined, because: "", isChoice });
      heardAt = undefined;
    }
  }
  return steps;
}

/** The nodes that can be entered from every conversation node. */
export function globalNodes({ nodes }: AgentGraph): readonly AgentNode[] {
  return Object.values(nodes).filter(({ global_node_setting: setting }) => setting);
}

/** Whether calls on the graph ever have a choice between several transitions. */
export function hasChoices(graph: AgentGraph): boolean {
  return Object.keys(graph.nodes).some((id) => othersAt(graph, id, undefined) > 0);
}

function moveOf(
  graph: AgentGraph,
  { node_id, metadata }: Message,
  place: Pick<JudgedStep, "after" | "turn">,
): JudgedStep {
  const node = typeof metadata.from === "string" ? metadata.from : node_id;
  const to = String(metadata.to);
  const { transitions = [] } = own(graph.nodes, node) ?? {};
  const taken = Array.isArray(metadata.ways)
    ? metadata.ways.flatMap((way) => (isRecord(way) ? transitions[Number(way.transition)] : undefined) ?? [])
    : transitions.filter(({ target_node_id: target }) => target === to);
  const isFree = taken.length > 0 && taken.every(({ condition }) => condition.type !== "llm_prompt");
  const isAutomatic = isFree && taken.every(({ condition: { type } }) => type === "always" || type === "tool_call");
  const isDecided = metadata.decision !== undefined || !(isFree || typeof metadata.because === "string");
  const others = othersAt(graph, node, to);
  return {
    ...place,
    node,
    to,
    because: isDecided ? "" : typeof metadata.because === "string" ? metadata.because : "an equation or a fixed way",
    isChoice: isAutomatic ? others > 0 && transitions.length > 1 : others > 0 || canStay(graph, node),
  };
}

/** Number of nodes other than `to` to which a call can go from a node. */
function othersAt(graph: AgentGraph, id: string, to: string | undefined): number {
  const node = own(graph.nodes, id);
  if (!node) return 0;
  const backs = node.global_node_setting?.go_back_conditions?.length ?? 0;
  const targets = new Set(node.transitions.map(({ target_node_id: target }) => target));
  if (node.node_type === "conversation") for (const { id: entry } of globalNodes(graph)) targets.add(entry);
  for (const none of [id, to]) if (none !== undefined) targets.delete(none);
  return targets.size + backs;
}

function canStay({ nodes }: AgentGraph, id: string): boolean {
  const node = own(nodes, id);
  return node !== undefined && !isSilent(node);
}
