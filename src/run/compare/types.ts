import type { Interval } from "../../base/statistics/mod.ts";
import type { Verdict } from "../../document/transcript/mod.ts";
import type { ResultStatus, RunRecord, ScenarioCounts, StoredRun } from "../store/mod.ts";

/** The fields of a result that a comparison needs. Without verdicts, only pass rates are compared. */
export interface ComparedResult {
  readonly scenario: string;
  readonly status: ResultStatus;
  readonly verdicts?: readonly Pick<Verdict, "criterion" | "passed" | "score">[];
}

/** A run to compare: a stored one, a report, or its counts. */
export type ComparableRun =
  | Pick<StoredRun, "run" | "results">
  | { readonly run: RunRecord; readonly scenarios: readonly ScenarioCounts[] }
  | { readonly id: string; readonly name: string; readonly results: readonly ComparedResult[] };

/** One of the two runs of a comparison. */
export interface ComparedRun {
  readonly id: string;
  /** The agent's name. */
  readonly agent: string;
  /** False when the run is not finished, so that results are missing. */
  readonly finished: boolean;
  /** Number of results per status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
}

/** Trials of a scenario, or of a criterion, in one run. */
export interface SideCounts {
  readonly passes: number;
  /** Trials that passed or failed. */
  readonly trials: number;
  /** From 0 to 1; `null` without trials. */
  readonly passRate: number | null;
  /** Wilson interval of the pass rate, at 95 % confidence; `null` without trials. */
  readonly interval: Interval | null;
}

/** A pass rate in both runs. */
export interface RateSides {
  readonly base: SideCounts;
  readonly head: SideCounts;
}

/** A change that is more than noise; `none` when it is not, or cannot be tested. */
export type RateChange = "worse" | "better" | "none";

/** Two pass rates and whether their difference is more than noise. */
export interface RateComparison extends RateSides {
  /** Head minus base, with its 95 % interval; `null` when one run has no trials. */
  readonly difference: ({ readonly value: number } & Interval) | null;
  /** P-value of the exact test for this difference alone; `null` when it cannot be tested. */
  readonly p: number | null;
  /** P-value corrected for the number of comparisons. At most 0.05: more than noise. */
  readonly correctedP: number | null;
  readonly change: RateChange;
  /** One sentence for people. */
  readonly reason: string;
}

/** How a judged criterion of a scenario changed. */
export interface CriterionComparison extends RateComparison {
  readonly criterion: string;
  /** Mean score from 0 to 1; `null` where it was not judged. */
  readonly meanScore: { readonly base: number | null; readonly head: number | null };
}

/** How a scenario changed. */
export interface ScenarioComparison extends RateComparison {
  readonly scenario: string;
  /** Criteria that were judged in both runs. */
  readonly criteria: readonly CriterionComparison[];
}

/** The comparison of a run with an earlier one. */
export interface RunComparison {
  readonly base: ComparedRun;
  readonly head: ComparedRun;
  /** Scenarios of both runs, in the order of the head. */
  readonly scenarios: readonly ScenarioComparison[];
  readonly onlyInBase: readonly string[];
  readonly onlyInHead: readonly string[];
  /** Scenarios of both runs that cannot be tested, because no trial of one run passed or failed. */
  readonly untested: readonly string[];
  /** Scenarios whose pass rate, or one of whose criteria, got worse by more than noise. */
  readonly worse: readonly string[];
  /** Scenarios whose pass rate, or one of whose criteria, got better by more than noise. */
  readonly better: readonly string[];
  /** Number of pass rates, and of criteria, that the p-values are corrected for. */
  readonly tests: { readonly scenarios: number; readonly criteria: number };
  /** One sentence for people. */
  readonly summary: string;
}
