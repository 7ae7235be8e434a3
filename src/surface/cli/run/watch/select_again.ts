import { diffGraphs } from "../../../../agent/analysis/mod.ts";
import { sameJson } from "../../../../base/values/mod.ts";
import type { AgentGraph } from "../../../../document/graph/mod.ts";
import type { Policy, Scenario } from "../../../../document/scenario/mod.ts";
import type { ResultStatus } from "../../../../run/store/mod.ts";

/** The last call of a scenario, or the merged result of its repeated calls. */
export interface WatchedResult {
  readonly scenario: string;
  readonly status: ResultStatus;
  readonly nodesVisited: readonly string[];
  /** Whether functions that are not in the documents affected it: custom checks, tools without a mock. */
  readonly usesCode: boolean;
}

export interface WatchedInput {
  readonly graph: AgentGraph;
  readonly scenarios: readonly Scenario[];
  readonly policies: readonly Policy[];
  /** Hash of the files with code. */
  readonly code: string;
}

/** A scenario to run again. */
export interface Again {
  readonly scenario: string;
  /** The reason as a phrase: `visited "order"`. */
  readonly reason: string;
}

/**
 * Selects the scenarios that a change can affect. A scenario that passed is affected by changes of nodes that it
 * visited; one that did not, by changes of nodes that it could have reached. Changes of the whole agent, of global nodes
 * and of policies affect every scenario. A change of a file with code affects the scenarios whose calls used functions,
 * because nothing shows that the functions are the same.
 *
 * @param results The last results of the scenarios.
 * @returns In the order of the scenarios.
 */
export function selectAgain(
  before: WatchedInput,
  after: WatchedInput,
  results: readonly WatchedResult[],
): readonly Again[] {
  const earlier = new Map(before.scenarios.map((scenario) => [scenario.name, scenario]));
  const changes = diffGraphs(before.graph, after.graph);
  const isWhole = changes.some(({ nodes }) => nodes === undefined);
  const changed = new Set(changes.flatMap(({ nodes }) => nodes ?? []));
  const isSamePolicies = sameJson(before.policies, after.policies);

  const reasonFor = (scenario: Scenario): string | undefined => {
    const last = results.filter((result) => result.scenario === scenario.name);
    const old = earlier.get(scenario.name);
    if (!old) return "is new";
    if (!sameJson(old, scenario)) return "was changed";
    if (last.length === 0 || last.every(({ nodesVisited }) => nodesVisited.length === 0)) return "has no result yet";
    if (isWhole) return "the whole agent was changed";
    if (!isSamePolicies) return "a policy was changed";
    if (before.code !== after.code && last.some(({ usesCode }) => usesCode)) return "depends on code that was changed";
    const visited = new Set(last.flatMap(({ nodesVisited }) => nodesVisited));
    const met = [...visited].find((node) => changed.has(node));
    if (met !== undefined) return `visited "${met}"`;
    if (last.every(({ status }) => status === "pass")) return undefined;
    const near = [before.graph, after.graph]
      .flatMap((graph) => [...reachable(graph, visited)])
      .find((node) => changed.has(node));
    return near === undefined ? undefined : `did not pass and could have reached "${near}"`;
  };
  return after.scenarios.flatMap((scenario) => {
    const reason = reasonFor(scenario);
    return reason === undefined ? [] : [{ scenario: scenario.name, reason }];
  });
}

/** The nodes that can be reached from some nodes or from global nodes. */
function reachable(graph: AgentGraph, from: ReadonlySet<string>): ReadonlySet<string> {
  const globals = Object.entries(graph.nodes).flatMap(([id, node]) => (node.global_node_setting ? [id] : []));
  const found = new Set([...from, ...globals]);
  for (const id of found) for (const { target_node_id: to } of graph.nodes[id]?.transitions ?? []) found.add(to);
  return found;
}
