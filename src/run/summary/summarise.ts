import {
  decideGate,
  type FlakinessSources,
  flakinessSources,
  type Gate,
  type GateVerdict,
  type Interval,
  type NestedTrial,
  passHat,
  wilson,
} from "../../base/statistics/mod.ts";
import type { CastOf } from "../../document/scenario/mod.ts";
import type { ResultStatus, VarianceSample } from "../../document/transcript/mod.ts";

/** Whether there are scenarios and the gate of each passed. Imported calls have no verdict and do not count. */
export function haveAllPassed(scenarios: readonly Pick<ScenarioSummary, "verdict" | "counts">[]): boolean {
  return scenarios.length > 0 && scenarios.every(({ verdict, counts }) => verdict === "pass" || isImported(counts));
}

function isImported(counts: ScenarioSummary["counts"]): boolean {
  return counts.imported > 0 && Object.values(counts).every((count) => count === 0 || count === counts.imported);
}

/** Statistics and verdict of a scenario's trials. */
export interface ScenarioSummary {
  readonly scenario: string;
  /** Number of planned trials. */
  readonly planned: number;
  /** Number of calls per status, all attempts included. */
  readonly counts: { readonly [Status in ResultStatus]: number };
  /** Number of trials that passed or failed. */
  readonly trials: number;
  /** Share of them that passed, from 0 to 1; `null` when there are none. */
  readonly passRate: number | null;
  /** Wilson interval of the pass rate, at 95 % confidence; `null` when there are no trials. */
  readonly interval: Interval | null;
  /** pass^k for k from 1 to `trials`: the chance that k calls in a row pass. */
  readonly passHat: readonly number[];
  readonly gate: Gate;
  /** The gate's verdict. `undecided`: calls are missing, because they ended in an error, were invalid or cancelled. */
  readonly verdict: GateVerdict;
  /** The verdict's reason, as one sentence. */
  readonly reason: string;
  /** The scenario and the caller of a set that this one was made of; absent for a scenario with its own caller. */
  readonly cast?: CastOf;
  /** Sources of differing verdicts; absent if nothing was repeated to measure them. */
  readonly variance?: FlakinessSources;
}

/** The plan of a scenario. */
export interface PlannedScenario {
  readonly scenario: string;
  /** Number of trials. */
  readonly planned: number;
  readonly gate: Gate;
  /** The scenario and the caller of a set that it was made of. */
  readonly cast?: CastOf;
}

/** The fields of a result that the summary reads. */
export interface SummarisedResult {
  readonly scenario: string;
  readonly status: ResultStatus;
  readonly variance?: VarianceSample;
}

/** Number of results per status. */
export type StatusCounts = { readonly [Status in ResultStatus]: number };

/** Computes the statistics and the verdict of each planned scenario from the run's results. */
export function summarise(
  planned: readonly PlannedScenario[],
  results: readonly SummarisedResult[],
): readonly ScenarioSummary[] {
  const found = new Map<string, SummarisedResult[]>(planned.map(({ scenario }) => [scenario, []]));
  for (const result of results) found.get(result.scenario)?.push(result);
  return planned.map((each) => {
    const own = found.get(each.scenario) ?? [];
    const repeated = own.flatMap(({ variance }) => (variance ? [variance] : []));
    return summariseCounts(each, countStatuses(own.map(({ status }) => status)), repeated);
  });
}

/** Computes the statistics and the verdict of a planned scenario from the number of its results per status. */
export function summariseCounts(
  { scenario, planned, gate, cast }: PlannedScenario,
  counts: StatusCounts,
  repeated: readonly VarianceSample[] = [],
): ScenarioSummary {
  const { pass: passes, fail: fails } = counts;
  const trials = passes + fails;
  const verdict = decideGate(gate, { passes, fails, planned: Math.max(planned, trials) });
  return {
    scenario,
    planned,
    counts,
    trials,
    passRate: trials === 0 ? null : passes / trials,
    interval: trials === 0 ? null : wilson(passes, trials),
    passHat: Array.from({ length: trials }, (_, index) => passHat(index + 1, trials, passes)),
    gate,
    verdict,
    reason: reasonOf(verdict, { passes, trials, planned, gate, imported: counts.imported }),
    ...(cast ? { cast } : {}),
    ...(repeated.length > 0 ? { variance: flakinessSources(repeated.map(nestedTrial)) } : {}),
  };
}

function nestedTrial({ calls }: VarianceSample): NestedTrial {
  return calls.map(({ judgements }) => judgements.map(({ passed }) => passed));
}

const NONE = { pass: 0, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 } satisfies StatusCounts;

export function countStatuses(found: readonly ResultStatus[]): StatusCounts {
  const counts: { [Status in ResultStatus]: number } = { ...NONE };
  for (const status of found) counts[status] += 1;
  return counts;
}

function reasonOf(
  verdict: GateVerdict,
  {
    passes,
    trials,
    planned,
    gate,
    imported,
  }: { readonly passes: number; readonly trials: number; readonly imported: number } & Pick<
    PlannedScenario,
    "planned" | "gate"
  >,
): string {
  if (trials === 0 && imported > 0) return "Imported: nobody has judged the call";
  if (planned === 1) {
    if (trials === 1) return passes === 1 ? "the call passed" : "the call failed";
    return "Undecided: the call was neither passed nor failed";
  }
  const passed =
    trials === planned
      ? `${passes} of ${trials} calls passed`
      : `${passes} of ${trials} calls passed, ${planned} were planned`;
  const needed = `the gate needs ${neededBy(gate)}`;
  return `${verdict === "undecided" ? "Undecided: " : ""}${passed}; ${needed}`;
}

function neededBy(gate: Gate): string {
  if ("passAny" in gate) return "one";
  if ("passAll" in gate) return "all";
  return `${+(gate.minPassRate * 100).toFixed(2)} %`;
}
