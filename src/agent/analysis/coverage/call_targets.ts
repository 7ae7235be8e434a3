import { isRecord, own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { deducedEquations, deducedWays, recordedEquations, recordedWays } from "../transitions.ts";
import type { Coverage, CoverageCount } from "./coverage_marks.ts";
import { completeCoverage } from "./merge_coverage.ts";
import { type CoverageTarget, targetKey } from "./targets.ts";
import type { UncoveredItem } from "./uncovered.ts";

/**
 * Keys of everything that a call exercised.
 *
 * @param isById The call ran on another version of the graph, whose transitions may have other indexes.
 */
export function targetsOfCall(
  graph: AgentGraph,
  call: Pick<Call, "nodesVisited"> & Partial<Pick<Call, "transcript">>,
  isById: boolean,
): ReadonlySet<string> {
  const keys = new Set(call.nodesVisited.map((node) => targetKey({ kind: "node", node })));
  const add = (target: CoverageTarget) => keys.add(targetKey(target));
  for (const message of call.transcript ?? []) {
    if (message.role !== "tool") continue;
    const { node_id: node, metadata } = message;
    if (metadata.kind === "extraction" && isRecord(metadata.variables))
      for (const [variable, choice] of Object.entries(metadata.variables))
        if (typeof choice === "string") add({ kind: "choice", node, variable, choice });
    if (!DECISIONS.includes(metadata.kind)) continue;
    const recorded = isById ? undefined : recordedWays(message);
    const ways = recorded ?? deducedWays(graph, message);
    const to = String(metadata.to);
    for (const way of ways) {
      if ("transition" in way) add({ kind: "transition", node, index: way.transition, to });
      if ("go_back" in way) add({ kind: "go-back", node, index: way.go_back });
    }
    if (metadata.decision && metadata.kind === "transition" && isOffered(graph, node, to))
      add({ kind: "global", node: to });
    if (isById) continue;
    const equations = recordedEquations(message) ?? (recorded ? [] : deducedEquations(graph, message, ways));
    for (const { clauses, ...way } of equations) {
      const of = "transition" in way ? "transition" : "go-back";
      const index = "transition" in way ? way.transition : way.go_back;
      for (const [clause, isTrue] of clauses.entries()) add({ kind: "clause", node, of, index, clause, isTrue });
    }
  }
  return keys;
}

/** The counts of a coverage without the items that no call can reach. */
export function reachableCounts(coverage: Coverage, open: readonly UncoveredItem[]): Coverage["counts"] {
  const closed = new Set(open.flatMap(({ kind, item }) => (kind === "none" ? [targetKey(item)] : [])));
  return completeCoverage({ ...coverage, items: coverage.items.filter((item) => !closed.has(targetKey(item))) }).counts;
}

/** A share in percent, rounded down to one decimal, so that 100 means all. 100 where there is nothing to cover. */
export function percentOf({ covered, total }: CoverageCount): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 1_000) / 10;
}

/** Records of a choice that the engine has made. */
const DECISIONS: readonly unknown[] = ["transition", "decision", "unusable_answer"];

/** Whether a global node was on offer to the model, perhaps beside a transition of the node's own to it. */
function isOffered({ nodes }: AgentGraph, from: string, to: string): boolean {
  return from !== to && own(nodes, from)?.node_type === "conversation" && Boolean(own(nodes, to)?.global_node_setting);
}
