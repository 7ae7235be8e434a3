import { isRecord, own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { FailedResult, FailureFact } from "../types.ts";
import { transitionInSentence } from "./condition_words.ts";
import { factOf } from "./fact_of.ts";
import { leftPath } from "./left_path.ts";

/** Facts of a failed `visits` expectation: where the call left the expected path. */
export function visitsFacts(
  graph: AgentGraph,
  result: FailedResult,
  visits: readonly string[],
): readonly FailureFact[] {
  let from = 0;
  for (const [index, id] of visits.entries()) {
    const at = result.nodesVisited.indexOf(id, from);
    if (at === -1) {
      const since = result.nodesVisited.slice(index === 0 ? 0 : from - 1);
      return wayFacts(graph, since, id, `The call was expected to reach "${id}"`);
    }
    from = at + 1;
  }
  return [];
}

/** The fact that a call did not take the path to a node. */
export function wayFacts(
  graph: AgentGraph,
  visited: readonly string[],
  wanted: string,
  expectation: string,
): readonly FailureFact[] {
  const left = leftPath(graph, visited, wanted);
  if (!left) return [];
  const { node, transition, target, took, hasWay } = left;
  const went = took === undefined ? "stayed" : `went to "${took}"`;
  if (!hasWay) {
    const fact = `${expectation}. No way leads there from any node that it visited; it was last at "${node}".`;
    return [factOf("no_way", fact, { node, target: wanted })];
  }
  const way = transition === -1 ? `the global node "${target}"` : transitionInSentence(graph, node, transition);
  const fact = `${expectation}. It left the way at "${node}": it ${went} instead of taking ${way}.`;
  return [factOf("path_left", fact, { node, transition, target })];
}

/** The fact that a call went to a node that it had to avoid. */
export function avoidsFacts(graph: AgentGraph, result: FailedResult, id: string): readonly FailureFact[] {
  const at = result.nodesVisited.indexOf(id);
  const before = result.nodesVisited[at - 1];
  if (before === undefined)
    return [factOf("wrong_node", `The call must not visit "${id}", where it starts.`, { node: id })];
  const transition = takenTransition(graph, result, before, id);
  const way = transition === -1 ? "" : ` by ${transitionInSentence(graph, before, transition)}`;
  const fact = `The call must not visit "${id}", and went there from "${before}"${way}.`;
  return [factOf("wrong_node", fact, { node: before, transition, target: id })];
}

/** Facts about a call that did not end as expected. */
export function endFacts(
  graph: AgentGraph,
  result: FailedResult,
  expected: Scenario["ends"],
  reason: string,
): readonly FailureFact[] {
  const type = expected === "agent_ended" ? "end" : expected === "agent_transferred" ? "transfer" : undefined;
  const node = result.nodesVisited.at(-1) ?? "";
  const targets = own(graph.nodes, node)?.transitions ?? [];
  const isEnd = (id: string) => own(graph.nodes, id)?.node_type === type;
  const transition = type === undefined ? -1 : targets.findIndex(({ target_node_id: id }) => isEnd(id));
  if (transition === -1) return [factOf("ended", `The call ended in an unexpected way: ${reason}.`, { node })];
  const target = targets[transition]?.target_node_id ?? "";
  const fact = `The call was expected to end with ${expected}, and ${reason}. At "${node}" it did not take ${transitionInSentence(graph, node, transition)}.`;
  return [factOf("path_left", fact, { node, transition, target })];
}

/** Index of the transition that a call took from one node to another; -1: not known. */
function takenTransition(graph: AgentGraph, { transcript }: FailedResult, from: string, to: string): number {
  for (const { node_id: node, metadata } of transcript) {
    if (metadata.kind !== "transition" || node !== from || metadata.to !== to || !Array.isArray(metadata.ways))
      continue;
    const way = metadata.ways.find((each) => isRecord(each) && typeof each.transition === "number");
    if (isRecord(way)) return Number(way.transition);
  }
  return own(graph.nodes, from)?.transitions.findIndex(({ target_node_id: id }) => id === to) ?? -1;
}
