import type { RunComparison } from "../../../run/compare/mod.ts";
import type { ResultRecord, RunRecord } from "../../../run/store/mod.ts";
import type { StudioAnswer } from "../api/mod.ts";
import { listCalls } from "../data/mod.ts";
import type { Studio } from "./studio.ts";

/** Scenarios whose calls are compared, and calls of each that a pair is chosen from. */
const MOST_PAIRS = 20;
/** Scenarios without a change that is more than noise are shown only up to so many pairs. */
const FEW_PAIRS = 5;
const MOST_CALLS = 50;

/** Compares a run with an earlier one, and shows a call of each for scenarios that changed. */
export async function compareAnswer(
  studio: Studio,
  headId: string,
  baseId: string,
): Promise<StudioAnswer<"compareRuns">> {
  const { base, head, comparison } = await comparisonOf(studio, headId, baseId);
  const changed = new Set([...comparison.worse, ...comparison.better]);
  // scenarios without a change that is more than noise come after those with one
  const shown = [...changed, ...comparison.scenarios.map(({ scenario }) => scenario)];
  const pairs: Pair[] = [];
  const most = Math.min(MOST_PAIRS, Math.max(FEW_PAIRS, changed.size));
  for (const scenario of [...new Set(shown)].slice(0, most)) {
    const pair = await pairOf(studio, comparison, { scenario, base, head });
    if (pair) pairs.push(pair);
  }
  return { ...plainComparison(comparison), pairs };
}

/** Two stored runs, and how their scenarios changed. */
export async function comparisonOf(
  studio: Studio,
  headId: string,
  baseId: string,
): Promise<{ readonly base: RunRecord; readonly head: RunRecord; readonly comparison: RunComparison }> {
  const { store } = studio.data;
  const [base, head] = await Promise.all([store.findRun(baseId), store.findRun(headId)]);
  const [{ compareRuns }, before, after] = await Promise.all([
    import("../../../run/compare/mod.ts"),
    studio.data.countsOf(base),
    studio.data.countsOf(head),
  ]);
  return { base, head, comparison: compareRuns({ run: base, scenarios: before }, { run: head, scenarios: after }) };
}

type Pair = StudioAnswer<"compareRuns">["pairs"][number];

async function pairOf(
  studio: Studio,
  { scenarios }: RunComparison,
  { scenario, base, head }: { readonly scenario: string; readonly base: RunRecord; readonly head: RunRecord },
): Promise<Pair | undefined> {
  const { pairOfCalls } = await import("../../../run/compare/mod.ts");
  const change = scenarios.find((each) => each.scenario === scenario)?.change ?? "none";
  const [before, after] = await Promise.all(
    [base, head].map(({ id }) => listCalls(studio.data, { run: id, scenario, limit: MOST_CALLS })),
  );
  const chosen = pairOfCalls((before?.items ?? []).toReversed(), (after?.items ?? []).toReversed(), change);
  if (!chosen) return undefined;
  const [one, other] = await Promise.all([chosen.base, chosen.head].map(({ id }) => studio.data.store.findResult(id)));
  if (!one || !other) return undefined;
  return { scenario, base: one.id, head: other.id, divergence: await divergenceOf(one, other) };
}

async function divergenceOf(one: ResultRecord, other: ResultRecord): Promise<Pair["divergence"]> {
  const { firstDivergence } = await import("../../../run/compare/mod.ts");
  const message = firstDivergence(one.transcript, other.transcript);
  const [base, head] = [one.transcript[message], other.transcript[message]];
  if (!base && !head) return null;
  return { message, base: base ? { ...base } : null, head: head ? { ...head } : null };
}

function plainComparison(comparison: RunComparison): Omit<StudioAnswer<"compareRuns">, "pairs"> {
  const { base, head, scenarios, worse, better, onlyInBase, onlyInHead, untested, summary } = comparison;
  return {
    base: { ...base },
    head: { ...head },
    summary,
    worse: [...worse],
    better: [...better],
    onlyInBase: [...onlyInBase],
    onlyInHead: [...onlyInHead],
    untested: [...untested],
    scenarios: scenarios.map(({ criteria, base: before, head: after, ...each }) => ({
      ...each,
      base: sideOf(before),
      head: sideOf(after),
      criteria: criteria.map((criterion) => ({ ...criterion })),
    })),
  };
}

function sideOf({ interval, ...side }: RunComparison["scenarios"][number]["base"]) {
  return { ...side, interval: interval && { ...interval } };
}
