import type { RateComparison, RunComparison } from "../../../run/compare/mod.ts";
import type { PageChange, PageComparison } from "../../web/mod.ts";

/** The comparison section of the page: all scenarios, and the judged criteria that changed. */
export function comparisonOf({ base, summary, scenarios }: RunComparison): PageComparison {
  return {
    base: `run ${base.id.slice(0, 8)}`,
    summary,
    rows: scenarios.flatMap(({ scenario, criteria, ...rate }) => [
      { scenario, ...changeOf(rate) },
      ...criteria
        .filter(({ change }) => change !== "none")
        .map(({ criterion, ...each }) => ({ scenario, criterion, ...changeOf(each) })),
    ]),
  };
}

function changeOf({ base, head, change, reason }: RateComparison): Omit<PageChange, "scenario" | "criterion"> {
  const rate = ({ passes, trials, interval }: RateComparison["base"]) => ({ passes, trials, interval });
  return { base: rate(base), head: rate(head), change, reason };
}
