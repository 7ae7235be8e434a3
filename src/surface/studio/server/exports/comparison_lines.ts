import type { CriterionComparison, RunComparison, ScenarioComparison } from "../../../../run/compare/mod.ts";
import { csvCell } from "./csv_cell.ts";

const COLUMNS = [
  "run",
  "with",
  "scenario",
  "criterion",
  "change",
  "passesBefore",
  "trialsBefore",
  "lowBefore",
  "highBefore",
  "passes",
  "trials",
  "low",
  "high",
  "difference",
  "differenceLow",
  "differenceHigh",
  "p",
  "correctedP",
  "reason",
] as const;

type Row = { readonly [Column in (typeof COLUMNS)[number]]?: string | number | null };

/** A row for each scenario, one below it for each judged criterion, and one for each scenario that only one run has. */
export function comparisonCsv(comparison: RunComparison): readonly string[] {
  const { base, head, scenarios } = comparison;
  const rows: readonly Row[] = [
    ...scenarios.flatMap((each) => [rowOf(each), ...each.criteria.map((one) => rowOf(one, each.scenario))]),
    ...onlyIn(comparison).map(([scenario, run]) => ({ scenario, change: `only in ${run}` })),
  ];
  const lines = rows.map((row) => {
    const whole: Row = { run: head.id, with: base.id, ...row };
    return COLUMNS.map((column) => csvCell(whole[column] ?? null)).join(",");
  });
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\r\n`);
}

/** A line for each scenario with all that the comparison says of it, and one for each scenario that only one run has. */
export function comparisonJsonLines(comparison: RunComparison): readonly string[] {
  const { base, head, scenarios } = comparison;
  const runs = { run: head.id, with: base.id };
  const lines = [
    ...scenarios.map(({ base: before, head: after, ...each }) => ({ ...runs, ...each, before, now: after })),
    ...onlyIn(comparison).map(([scenario, run]) => ({ ...runs, scenario, onlyIn: run })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}

function rowOf(compared: ScenarioComparison | CriterionComparison, scenario?: string): Row {
  const { base, head, difference, p, correctedP, change, reason } = compared;
  return {
    ...("scenario" in compared ? { scenario: compared.scenario } : { scenario, criterion: compared.criterion }),
    change,
    passesBefore: base.passes,
    trialsBefore: base.trials,
    lowBefore: base.interval?.low,
    highBefore: base.interval?.high,
    passes: head.passes,
    trials: head.trials,
    low: head.interval?.low,
    high: head.interval?.high,
    difference: difference?.value,
    differenceLow: difference?.low,
    differenceHigh: difference?.high,
    p,
    correctedP,
    reason,
  };
}

/** The run that alone has a scenario: the id in a file of its own says more than "before" or "now". */
function onlyIn({ base, head, onlyInBase, onlyInHead }: RunComparison): readonly (readonly [string, string])[] {
  return [
    ...onlyInBase.map((scenario) => [scenario, base.id] as const),
    ...onlyInHead.map((scenario) => [scenario, head.id] as const),
  ];
}
