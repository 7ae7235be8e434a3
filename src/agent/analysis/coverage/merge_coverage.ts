import { GraphError } from "../../../base/errors.ts";
import { checkOptions, isRecord, rule } from "../../../base/values/mod.ts";
import type { Coverage, CoverageCount, CoverageItem } from "./coverage_marks.ts";
import { type CoverageKind, targetKey } from "./targets.ts";

const ACTION = "Cannot merge coverage";
const MERGE_RULES = {
  coverages: rule("a list of what coverage() has returned, with at least one", (value) => {
    return Array.isArray(value) && value.length > 0 && value.every(isCoverage);
  }),
};

/**
 * Merges coverages of one graph, such as those of several machines. To merge results, pass them to `coverage()` together.
 *
 * @throws {GraphError} `different-graph`; `invalid-option` when the list is empty.
 */
export function mergeCoverage(coverages: readonly Coverage[]): Coverage {
  checkOptions({ coverages: coverages ?? null }, MERGE_RULES, GraphError, ACTION);
  const [first] = coverages;
  if (!first) throw new TypeError("unreachable: the list was checked");
  const { graphFingerprint } = first;
  if (coverages.some((each) => each.graphFingerprint !== graphFingerprint)) throw differentGraph(ACTION);
  const calls = new Map<string, number>();
  const leftOut = new Map<string, number>();
  for (const each of coverages) {
    for (const item of each.items) calls.set(targetKey(item), (calls.get(targetKey(item)) ?? 0) + item.calls);
    for (const [status, count] of Object.entries(each.leftOut)) leftOut.set(status, (leftOut.get(status) ?? 0) + count);
  }
  return completeCoverage({
    graphFingerprint,
    calls: coverages.reduce((sum, each) => sum + each.calls, 0),
    leftOut: Object.fromEntries(leftOut),
    items: first.items.map((item) => ({ ...item, calls: calls.get(targetKey(item)) ?? 0 })),
  });
}

/** Accepts what `coverage()` has returned. */
export const COVERAGE_RULE = rule("what coverage() has returned", isCoverage);

function isCoverage(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.items) || !isRecord(value.leftOut)) return false;
  return value.items.every(
    (item) => isRecord(item) && typeof item.kind === "string" && typeof item.node === "string" && "calls" in item,
  );
}

/** The error for results of another version of a graph. */
export function differentGraph(action: string): GraphError {
  return new GraphError(`${action}: the results are of another version of the graph`, {
    code: "different-graph",
    hint: "Pass results of runs of this graph, or set byId to match them by the ids of nodes",
  });
}

/** Adds the counts of a coverage. */
export function completeCoverage(measured: Omit<Coverage, "counts">): Coverage {
  const of = (kind: CoverageKind) => countOf(measured.items.filter((item) => item.kind === kind));
  const counts = {
    node: of("node"),
    transition: of("transition"),
    clause: of("clause"),
    global: of("global"),
    "go-back": of("go-back"),
    choice: of("choice"),
    total: countOf(measured.items),
  };
  return { ...measured, counts };
}

function countOf(items: readonly CoverageItem[]): CoverageCount {
  return { covered: items.filter(({ calls }) => calls > 0).length, total: items.length };
}
