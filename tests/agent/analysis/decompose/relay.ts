import { isHandoff } from "../../../../src/agent/analysis/decompose/manifest.ts";
import type { Decomposition } from "../../../../src/agent/analysis/mod.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import type { Answers, FinishedCall } from "../../../platforms/lower/run_call.ts";
import type { ComparedCall } from "../../../platforms/vapi/compile/squads/compared_call.ts";

/** What a caller notices of a call, and its path. */
export type Course = Pick<FinishedCall, "visited" | "variables" | "endReason"> & { readonly said: readonly string[] };

/** Runs a call on the parts of a graph: after a handoff, the next part continues with the variables so far. */
export async function relayCall(
  { manifest, parts }: Decomposition,
  { lines, mocks = [], variables = {} }: Pick<ComparedCall, "lines" | "mocks" | "variables">,
  answers: Answers,
): Promise<Course> {
  const agent = scripted(answers);
  const left = [...lines];
  const visited: string[] = [];
  const said: string[] = [];
  let known: { readonly [name: string]: unknown } = variables;
  let next = { name: manifest.main, waits: false };
  for (;;) {
    const graph = startingSo(own(parts, next.name), next.waits);
    const call = conversation(graph, { models: { agent }, variables: known, mocks });
    await call.open();
    for (let line = left[0]; line !== undefined && !call.ended; line = left[0]) {
      left.shift();
      await call.hear(line);
    }
    visited.push(...call.nodesVisited.slice(visited.length > 0 ? 1 : 0));
    const spoken = call.transcript.filter(({ role }) => role !== "tool");
    said.push(...spoken.map(({ role, content, node_id: id }) => `${role} at ${id}: ${content}`));
    known = call.variables;
    const last = own(graph.nodes, call.nodesVisited.at(-1) ?? "");
    if (!call.ended || !last || !isHandoff(last)) {
      return { visited, said, variables: call.variables, endReason: call.endReason };
    }
    const from = call.nodesVisited.at(-2);
    const reason = JSON.stringify(call.transcript.filter(({ role }) => role === "tool").at(-1)?.metadata ?? {});
    const isAfterSpeech = /always, after speech|a tool was called/.test(reason);
    const taken = manifest.handoffs.filter(
      (each) => each.from === next.name && each.node_id === from && each.to === last.id,
    );
    next = { name: last.id, waits: isAfterSpeech && taken.some(({ waits }) => waits) };
  }
}

/** A part that waits for the caller first. */
function startingSo(graph: AgentGraph | undefined, waits: boolean): AgentGraph {
  if (!graph) throw new TypeError("there is no such part");
  if (!waits) return graph;
  return parseGraph({ ...graph, source_metadata: { ...graph.source_metadata, start_speaker: "user" } });
}
