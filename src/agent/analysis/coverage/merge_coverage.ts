import { GraphError } from "../../../base/errors.ts";
import { checkOptions, rule } from "../../../base/values/mod.ts";
import { completeCoverage } from "./complete_coverage.ts";
import { isCoverage } from "./coverage_rule.ts";
import { differentGraph } from "./different_graph.ts";
import { targetKey } from "./targets.ts";
import type { Coverage } from "./types.ts";

const ACTION = "Cannot merge coverage";
const RULES = {
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
  checkOptions({ coverages: coverages ?? null }, RULES, GraphError, ACTION);
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
