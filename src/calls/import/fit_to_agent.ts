import { knownVariables, typedValue } from "../../analysis/mod.ts";
import type { AgentGraph, AgentNode } from "../../graph/mod.ts";
import type { Message, TakenWay } from "../../transcript/mod.ts";
import { isRecord, type JsonObject, own } from "../../values/mod.ts";
import type { RecordedCall } from "../recorded_call.ts";

/**
 * Returns a function that maps a call to the agent. A node of the call (Retell: its id; Vapi: the assistant's name) gets
 * the id of the agent's node with this id, or with this id or platform name apart from case and punctuation. Others stay
 * as they are. Variables that the agent declares as numbers or booleans are converted.
 */
export function fitToAgent(graph: AgentGraph): (call: RecordedCall) => RecordedCall {
  const names = namesOf(graph);
  const nodeOf = (id: string) => (Object.hasOwn(graph.nodes, id) ? id : (names.get(plain(id)) ?? id));
  const variables = knownVariables(graph);
  const [only, ...others] = Object.keys(graph.nodes);
  return (given) => {
    const call =
      given.nodesVisited.length < 2 && only !== undefined && others.length === 0 ? allAt(given, only) : given;
    const fitted = {
      ...call,
      transcript: call.transcript.map((message) => fitMessage(graph, message, nodeOf)),
      nodesVisited: call.nodesVisited.map(nodeOf),
      toolsCalled: call.toolsCalled.map((tool) => ({ ...tool, nodeId: nodeOf(tool.nodeId) })),
      variables: Object.fromEntries(
        Object.entries(call.variables).map(([name, value]) => [
          name,
          typeof value === "string" ? (typedValue(variables.get(name), value) ?? value) : value,
        ]),
      ),
    };
    if (!call.latency) return fitted;
    return { ...fitted, latency: call.latency.map((turn) => ({ ...turn, nodeId: nodeOf(turn.nodeId) })) };
  };
}

/** Assigns all of a call to the agent's only node. */
function allAt(call: RecordedCall, id: string): RecordedCall {
  return {
    ...call,
    nodesVisited: [id],
    transcript: call.transcript.map((message) => ({ ...message, node_id: id })),
    toolsCalled: call.toolsCalled.map((tool) => ({ ...tool, nodeId: id })),
    ...(call.latency ? { latency: call.latency.map((turn) => ({ ...turn, nodeId: id })) } : {}),
  };
}

function fitMessage(graph: AgentGraph, message: Message, nodeOf: (id: string) => string): Message {
  const { metadata } = message;
  const node_id = nodeOf(message.node_id);
  if (metadata.kind !== "transition" || typeof metadata.from !== "string" || typeof metadata.to !== "string")
    return { ...message, node_id };
  const [from, to, because] = [nodeOf(metadata.from), nodeOf(metadata.to), String(metadata.because)];
  return {
    ...message,
    node_id,
    content: `${from} -> ${to}: ${because}`,
    metadata: { ...metadata, from, to, ways: waysBetween(graph, from, to) },
  };
}

/**
 * The transitions from one node to another if they are unambiguous: one transition, several that were offered to the
 * model, the entry of a global node, or a go-back from it.
 */
function waysBetween(graph: AgentGraph, from: string, to: string): readonly TakenWay[] {
  const node = own(graph.nodes, from);
  if (!node) return [];
  const direct = [...node.transitions.entries()].filter(([, { target_node_id }]) => target_node_id === to);
  const isByModel = direct.every(([, { condition }]) => condition.type === "llm_prompt");
  if (direct.length > 0) return direct.length === 1 || isByModel ? direct.map(([transition]) => ({ transition })) : [];
  if (own(graph.nodes, to)?.global_node_setting) return [{ global: true }];
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return backs.length === 1 ? [{ go_back: 0 }] : [];
}

/** The nodes by their plain ids, and by the names that platforms keep in their metadata; none for names of several nodes. */
function namesOf(graph: AgentGraph): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const several = new Set<string>();
  for (const [id, node] of Object.entries(graph.nodes))
    for (const name of new Set([id, ...platformNames(node)].map(plain))) {
      if (names.has(name)) several.add(name);
      else names.set(name, id);
    }
  for (const name of several) names.delete(name);
  return names;
}

function platformNames({ metadata }: AgentNode): readonly string[] {
  return Object.values(metadata).flatMap((owned) => {
    const { id, name } = isRecord(owned) ? owned : ({} satisfies JsonObject as JsonObject);
    return [id, name].filter((each) => typeof each === "string");
  });
}

function plain(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}
