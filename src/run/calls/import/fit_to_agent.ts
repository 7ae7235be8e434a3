import type { RecordedCall } from "../../../../platforms/mod.ts";
import { knownVariables, typedValue } from "../../../agent/analysis/mod.ts";
import { isRecord, type JsonObject, own, recordAt } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../document/graph/mod.ts";
import type { Message, RecordedMove } from "../../../document/transcript/mod.ts";
import { transitionText } from "../read/mod.ts";

/**
 * Returns a function that maps a call to the agent. A node of the call (Retell: its id; Vapi: the assistant's name) gets
 * the id of the agent's node with this id, or with this id or platform name apart from case and punctuation; a handoff's
 * tool names its target, too. Others stay as they are. A squad's call starts at the agent's entry node where the platform
 * does not name its first assistant. Variables that the agent declares as numbers or booleans are converted.
 */
export function fitToAgent(graph: AgentGraph): (call: RecordedCall) => RecordedCall {
  const names = namesOf(graph);
  const tools = handoffTools(graph);
  const find = (name: string) => {
    if (Object.hasOwn(graph.nodes, name)) return name;
    return names.get(plain(name)) ?? tools.get(plain(name)) ?? undefined;
  };
  const variables = knownVariables(graph);
  const [only, ...others] = Object.keys(graph.nodes);
  return (given) => {
    const isOfOne = given.nodesVisited.length < 2 && only !== undefined && others.length === 0;
    const call = isOfOne ? allAt(given, only) : startsUnnamed(given) ? startedAt(given, graph.entry_node_id) : given;
    const ids = new Map(Object.entries(recordAt(given.provenance.facts ?? {}, "assistants")).map(swapped));
    const nodeOf = (name: string) => find(name) ?? find(ids.get(name) ?? name) ?? name;
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

/** Whether a call is one of a squad whose first assistant the platform does not name. */
function startsUnnamed({ nodesVisited, transcript, provenance }: RecordedCall): boolean {
  const first = transcript.find(({ metadata }) => metadata.kind === "transition");
  return first ? first.metadata.from === "" : nodesVisited.length === 0 && Boolean(provenance.facts?.squadId);
}

/** Assigns the part of a call before its first known node to a node. */
function startedAt(call: RecordedCall, id: string): RecordedCall {
  const named = (nodeId: string) => (nodeId === "" ? id : nodeId);
  return {
    ...call,
    nodesVisited: [id, ...call.nodesVisited],
    transcript: call.transcript.map((message) => ({
      ...message,
      node_id: named(message.node_id),
      metadata: message.metadata.from === "" ? { ...message.metadata, from: id } : message.metadata,
    })),
    toolsCalled: call.toolsCalled.map((tool) => ({ ...tool, nodeId: named(tool.nodeId) })),
    ...(call.latency ? { latency: call.latency.map((turn) => ({ ...turn, nodeId: named(turn.nodeId) })) } : {}),
  };
}

const swapped = ([key, value]: readonly [string, unknown]): readonly [string, string] => [String(value), key];

function fitMessage(graph: AgentGraph, message: Message, nodeOf: (id: string) => string): Message {
  const { metadata } = message;
  const node_id = nodeOf(message.node_id);
  if (metadata.kind !== "transition" || typeof metadata.from !== "string" || typeof metadata.to !== "string")
    return { ...message, node_id };
  const [from, to, because] = [nodeOf(metadata.from), nodeOf(metadata.to), String(metadata.because)];
  return {
    ...message,
    node_id,
    content: transitionText({ from, to, because }),
    metadata: { ...metadata, from, to, ways: waysBetween(graph, from, to) },
  };
}

/**
 * The transitions from one node to another if they are unambiguous: one transition, several that were offered to the
 * model, the entry of a global node, or a go-back from it.
 */
function waysBetween(graph: AgentGraph, from: string, to: string): readonly RecordedMove[] {
  const node = own(graph.nodes, from);
  if (!node) return [];
  const direct = [...node.transitions.entries()].filter(([, { target_node_id }]) => target_node_id === to);
  const isByModel = direct.every(([, { condition }]) => condition.type === "llm_prompt");
  if (direct.length > 0) return direct.length === 1 || isByModel ? direct.map(([transition]) => ({ transition })) : [];
  if (own(graph.nodes, to)?.global_node_setting) return [{ global: true }];
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return backs.length === 1 ? [{ go_back: 0 }] : [];
}

/** The targets of handoffs by the plain names of their tools, also without "handoff to"; none for tools of several. */
function handoffTools(graph: AgentGraph): ReadonlyMap<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const { transitions } of Object.values(graph.nodes))
    for (const { metadata, target_node_id: target } of transitions)
      for (const owned of Object.values(metadata ?? {})) {
        const name = own(recordAt(recordAt(isRecord(owned) ? owned : {}, "tool"), "function"), "name");
        if (typeof name !== "string") continue;
        for (const key of new Set([plain(name), plain(name).replace(/^(?:handoff|transfer)_to_/, "")]))
          targets.set(key, (targets.get(key) ?? new Set()).add(target));
      }
  return new Map(
    [...targets].flatMap(([name, [target = "", ...others]]) => (others.length > 0 ? [] : [[name, target]])),
  );
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
