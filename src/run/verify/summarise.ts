import { graphTransitions } from "../../agent/analysis/mod.ts";
import { wilson } from "../../base/statistics/mod.ts";
import { defined, groupBy } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { CallDifference, VerifiedCall, VerifiedDifference } from "./types.ts";

/** Number of calls that a difference names. */
const MOST_EXAMPLES = 5;

/** The first differences of all calls, equal ones together, the most frequent first. */
export function summarise(calls: readonly VerifiedCall[], graph: AgentGraph): readonly VerifiedDifference[] {
  const first = calls.flatMap((call) => call.differences.slice(0, 1).map((difference) => ({ call, difference })));
  const groups = groupBy(first, ({ difference }) => keyOf(difference));
  const found = [...groups.values()].flatMap((group): readonly VerifiedDifference[] => {
    const [one] = group;
    if (!one) return [];
    const { turn: _, said: __, ...difference } = one.difference;
    const here = calls.filter((call) => group.some((each) => each.call === call) || reaches(call, difference.nodeId));
    const conditions = conditionsOf(difference, graph);
    return [
      {
        ...difference,
        calls: group.length,
        of: here.length,
        rate: group.length / here.length,
        interval: wilson(group.length, here.length),
        ...defined({ conditions, words: conditions && wordsInQuestion(conditions) }),
        examples: group.slice(0, MOST_EXAMPLES).map(({ call: { scenario, trial }, difference: { turn, said } }) => {
          return { scenario, trial, turn, said };
        }),
      },
    ];
  });
  return found.sort((a, b) => b.calls - a.calls || b.rate - a.rate);
}

function keyOf({ kind, nodeId, name, agent, graph, to }: CallDifference): string {
  // values differ from call to call: the same variable or tool at the same node is one difference
  const what = kind === "variable" || kind === "tool" ? [agent === null, graph === null] : [agent, graph];
  return JSON.stringify([kind, nodeId, name, what, to]);
}

function reaches({ agent, graph }: VerifiedCall, node: string): boolean {
  return node === "" || (agent.nodesVisited.includes(node) && graph.nodesVisited.includes(node));
}

/** The conditions of the ways that both sides took from a node. */
function conditionsOf({ kind, nodeId, to }: Omit<CallDifference, "turn" | "said">, graph: AgentGraph) {
  if (kind !== "path" || !to) return undefined;
  const all = graphTransitions(graph);
  const conditionTo = (target: string | null): string | undefined => {
    if (target === null) return undefined;
    const ways = all.filter(({ kind, node, to }) =>
      kind === "global" ? node === target : kind === "go-back" ? node === nodeId : node === nodeId && to === target,
    );
    const own = ways.filter(({ kind }) => kind === "transition");
    const names = (own.length > 0 ? own : ways).map(({ name }) => name);
    return names.length === 0 ? undefined : names.join(" or ");
  };
  const conditions = defined({ agent: conditionTo(to.agent), graph: conditionTo(to.graph) });
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}

/** The words that tell the conditions apart: those that only one of them has. */
function wordsInQuestion({
  agent = "",
  graph = "",
}: NonNullable<VerifiedDifference["conditions"]>): readonly string[] | undefined {
  const [a, b] = [contentWords(agent), contentWords(graph)];
  const words = [...a.filter((word) => !b.includes(word)), ...b.filter((word) => !a.includes(word))];
  return words.length === 0 ? undefined : words;
}

/** The words of a condition, without its arrow and without the shortest ones. */
function contentWords(name: string): readonly string[] {
  const condition = name.replace(/^[^:]*:/, "");
  return [...new Set(condition.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]{2,}/gu) ?? [])];
}
