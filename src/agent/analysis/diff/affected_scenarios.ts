import { GraphError } from "../../../base/errors.ts";
import { checkOptions, isRecords, isTexts, rule } from "../../../base/values/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import type { GraphChange } from "./change.ts";

/** A scenario whose calls are affected by changes. */
export interface AffectedScenario {
  readonly scenario: string;
  /** The changes that affect its calls, in the order of the list. */
  readonly changes: readonly GraphChange[];
  /** The changed nodes that its calls visited, in the order of the first visit. */
  readonly nodes: readonly string[];
}

/**
 * Finds the scenarios whose calls visited changed nodes, and which should run again. A change of the whole agent
 * affects every scenario.
 *
 * @param results Results of runs on either version. Renamed nodes are found under both ids.
 * @returns In the order of the results, without scenarios that no change affects.
 * @throws {GraphError} `invalid-option`.
 */
export function affectedScenarios(
  changes: readonly GraphChange[],
  results: readonly Required<Pick<Call, "scenario" | "nodesVisited">>[],
): readonly AffectedScenario[] {
  checkOptions({ changes: changes ?? null, results: results ?? null }, RULES, GraphError, "Cannot find scenarios");
  const visits = new Map<string, Set<string>>();
  for (const { scenario, nodesVisited } of results) {
    const visited = visits.get(scenario) ?? new Set();
    for (const id of nodesVisited) visited.add(id);
    visits.set(scenario, visited);
  }
  const changed = new Set(changes.flatMap(({ nodes }) => nodes ?? []));
  return [...visits].flatMap(([scenario, visited]) => {
    const met = changes.filter(({ nodes }) => nodes === undefined || nodes.some((id) => visited.has(id)));
    if (met.length === 0) return [];
    return [{ scenario, changes: met, nodes: [...visited].filter((id) => changed.has(id)) }];
  });
}

const RULES = {
  changes: rule("a list of changes, as diffGraphs() returns it", (value) =>
    isRecords(value, ({ nodes }) => nodes === undefined || isTexts(nodes)),
  ),
  results: rule("a list of results { scenario, nodesVisited }", (value) =>
    isRecords(value, ({ scenario, nodesVisited }) => typeof scenario === "string" && isTexts(nodesVisited)),
  ),
};
