import { GraphError } from "../../../base/errors.ts";
import { checkOptions, isListOf, isRecord, isTexts, OPTION, rule } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../../document/graph/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { targetsOfCall } from "./call_targets.ts";
import type { Coverage } from "./coverage_marks.ts";
import { completeCoverage, differentGraph } from "./merge_coverage.ts";
import { coverageTargets, targetKey } from "./targets.ts";

/** Options of {@link coverage}. */
export interface CoverageOptions {
  /**
   * Fingerprint of the graph that the calls ran on: `graphFingerprint` of a stored run. Default: the graph's. If
   * it differs, `coverage()` throws unless `byId` is set.
   */
  readonly graphFingerprint?: string;
  /**
   * The calls ran on another version of the graph. Nodes and choices are then matched by id, and transitions by
   * the nodes between them, where only one can be meant. Clauses are not matched. Default: false.
   */
  readonly byId?: boolean;
  /** Statuses of the results that count. Default: `pass`, `fail` and `imported`. */
  readonly statuses?: readonly string[];
}

/** Statuses of calls that were completed and judged, and of imported calls. */
const COUNTED: readonly string[] = ["pass", "fail", "imported"];

const RULES = {
  graphFingerprint: OPTION.text,
  byId: OPTION.switch,
  statuses: OPTION.texts,
};
const RESULTS = {
  results: rule("a list of results { nodesVisited, transcript }", (value) => isListOf(value, isCall)),
};

function isCall(value: unknown): boolean {
  if (!isRecord(value) || !isTexts(value.nodesVisited)) return false;
  const { transcript = [] } = value;
  return Array.isArray(transcript) && transcript.every((each) => isRecord(each) && isRecord(each.metadata));
}

/**
 * Finds out which nodes, transitions, equation clauses, global nodes, go-backs and choices the calls of a run have
 * exercised. A result that is passed twice counts once. Calls that failed a check count; `invalid`, `error` and
 * `cancelled` results do not, because nobody has judged them.
 *
 * A clause counts as seen when a call has evaluated it: an `and` stops at the first clause that is false, an `or` at the
 * first that is true, and a transition that fires leaves those after it unevaluated. The model picks a node, so all
 * conditions on offer that lead to it count as taken.
 *
 * @param results Results of one or more runs, repeats and shards included.
 * @throws {GraphError} `not-a-graph`, `invalid-option`; `different-graph` when the calls ran on another graph.
 * @example
 * ```ts
 * import { flow, offline, run, scenario } from "callweave";
 * import { coverage } from "callweave/analysis";
 *
 * const hello = flow("hello")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
 *   .end("bye", { prompt: "Say goodbye." })
 *   .compile();
 * const { results } = await run(hello, [scenario("leaves", hello).says("Goodbye!").ends("agent_ended")], {
 *   models: { agent: offline() },
 *   store: false,
 * });
 * const { counts, items } = coverage(hello, results);
 * console.log(counts.node.covered, "of", counts.node.total, "nodes");
 * console.log(items.filter(({ calls }) => calls === 0).map(({ name }) => name));
 * ```
 */
export function coverage(
  source: AgentGraph,
  results: readonly (Pick<Call, "id" | "nodesVisited"> &
    Partial<Pick<Call, "transcript">> & { readonly status?: string })[],
  options: CoverageOptions = {},
): Coverage {
  const graph = toGraph(source, "Cannot compute coverage");
  checkOptions({ results: results ?? null }, RESULTS, GraphError, "Cannot compute coverage");
  checkOptions(options, RULES, GraphError, "Cannot compute coverage");
  const known = fingerprint(graph);
  const { graphFingerprint, byId = false, statuses = COUNTED } = options;
  const isOther = graphFingerprint !== undefined && graphFingerprint !== known;
  if (isOther && !byId) throw differentGraph("Cannot compute coverage");
  const isById = graphFingerprint === undefined ? byId : isOther;
  const seen = new Set<string>();
  const leftOut = new Map<string, number>();
  const calls = new Map<string, number>();
  let count = 0;
  for (const result of results) {
    const { id, status } = result;
    if (id !== undefined && seen.has(id)) continue;
    if (id !== undefined) seen.add(id);
    if (status !== undefined && !statuses.includes(status)) {
      leftOut.set(status, (leftOut.get(status) ?? 0) + 1);
      continue;
    }
    count += 1;
    for (const key of targetsOfCall(graph, result, isById)) calls.set(key, (calls.get(key) ?? 0) + 1);
  }
  const items = coverageTargets(graph).map((target) => ({ ...target, calls: calls.get(targetKey(target)) ?? 0 }));
  return completeCoverage({ graphFingerprint: known, calls: count, leftOut: Object.fromEntries(leftOut), items });
}
