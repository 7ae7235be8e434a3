import type { Interval } from "../../base/statistics/mod.ts";
import type { CheckKind } from "../../document/transcript/mod.ts";
import type { ImportCounts } from "../calls/mod.ts";

/** What a measure counts: calls that meet a criterion of the judge, or an expectation that needs no judge. */
export type MeasureKind = "criterion" | CheckKind;

/** One expectation of one call, and whether the call met it. */
export interface WatchedOutcome {
  readonly kind: MeasureKind;
  /** The criterion, the policy's name, or the expectation in one line. */
  readonly name: string;
  readonly passed: boolean;
  /** Of criteria: the judge's model. Verdicts of different judges are not compared. */
  readonly judge?: string;
  /** Of criteria: the score needed to pass. Verdicts with different thresholds are not compared. */
  readonly threshold?: number;
}

/** A call of production, and what was found in it. */
export interface WatchedCall {
  /** Id of the stored call. A call that is given twice counts once. */
  readonly id: string;
  /** Id on the platform; `null` if there is none. */
  readonly callId: string | null;
  /** Start of the call, ISO 8601. */
  readonly startedAt: string;
  /** Empty for a call that was not judged, or whose evaluation ended in an error. */
  readonly outcomes: readonly WatchedOutcome[];
}

/** A span of time: from its start on, before its end. ISO 8601 in UTC. */
export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

/** How many calls met an expectation. */
export interface MeasureRate {
  readonly passes: number;
  /** Calls that met the expectation or did not. */
  readonly trials: number;
  /** From 0 to 1; `null` without trials. */
  readonly rate: number | null;
  /** Wilson's interval of the rate, at 95 % confidence; `null` without trials. */
  readonly interval: Interval | null;
}

/**
 * `worse`: the rate fell by more than noise. `steady`: it did not. `too-few`: there are too few calls to say, in the
 * window or before it.
 */
export type WatchState = "worse" | "steady" | "too-few";

/** The rates before and after the moment at which a rate fell. */
export interface MeasureDrop {
  /** Start of the first call after the change, ISO 8601 in UTC; `null` when no moment stands out from noise. */
  readonly since: string | null;
  /** Rate of the calls before `since`; before the window when it is `null`. */
  readonly before: MeasureRate;
  /** Rate of the calls from `since` on; of the window when it is `null`. */
  readonly after: MeasureRate;
  /** Calls that did not meet the expectation after the change, the newest first; at most five. */
  readonly calls: readonly Pick<WatchedCall, "id" | "callId" | "startedAt">[];
}

/** The rate of one expectation in the window and before it. */
export interface Measure {
  readonly kind: MeasureKind;
  readonly name: string;
  /** Of criteria: the judge's model and the score needed to pass; `null` for others. */
  readonly judge: string | null;
  readonly threshold: number | null;
  readonly state: WatchState;
  /** Rate of the calls before the window. */
  readonly baseline: MeasureRate;
  /** Rate of the calls in the window. */
  readonly window: MeasureRate;
  /** Rates of spans as long as the window, oldest first; the window is the last. */
  readonly spans: readonly (TimeSpan & MeasureRate)[];
  /** P-value of the test for a drop within the window, or at its start; `null` with too few calls. */
  readonly p: number | null;
  /** P-value corrected for the number of measures. At most `level`: worse. */
  readonly correctedP: number | null;
  /** Where the rate fell; `null` unless `state` is `worse`. */
  readonly drop: MeasureDrop | null;
}

/** A comparison of the latest calls with those before. */
export interface ProductionComparison {
  /** `worse` if a measure is; `too-few` if none could be tested; else `steady`. */
  readonly state: WatchState;
  readonly window: TimeSpan & { readonly calls: number };
  readonly baseline: TimeSpan & { readonly calls: number };
  /** Least number of calls in the window, and before it, to test a measure. */
  readonly minimum: number;
  /** Share of comparisons without a change that name a measure, at most. */
  readonly level: number;
  /** Worse measures first, the clearest at the top; then those with too few calls, then the others. */
  readonly measures: readonly Measure[];
}

/** A step of a round that failed; the round went on with what was stored. */
export interface WatchProblem {
  readonly step: "pull" | "evaluate" | "store";
  /** Code of the error. */
  readonly code: string;
  /** One sentence, without keys. */
  readonly message: string;
}

/** What a round of `watchCalls()` did and found. */
export interface WatchReport extends ProductionComparison {
  /** Version of this document. */
  readonly version: 1;
  /** The platform. */
  readonly from: string;
  /** The environment's name; `null` if none was given. */
  readonly environment: string | null;
  /** Time of the round, ISO 8601 in UTC. */
  readonly at: string;
  /** Whether new calls were read, evaluated and stored without an error. */
  readonly isComplete: boolean;
  readonly problems: readonly WatchProblem[];
  /** Counts of the pull; `null` when it failed. */
  readonly pulled: ImportCounts | null;
  readonly evaluated: {
    /** Calls that were evaluated in this round. */
    readonly calls: number;
    /** Those of them whose evaluation ended in an error. They are neither good nor bad, and tried again next time. */
    readonly errors: number;
    /** All calls since the baseline's start whose evaluation has ended in errors only. */
    readonly unknown: number;
    /** All calls since the baseline's start that no criterion, policy or expectation applies to. */
    readonly unmatched: number;
    /** All calls since the baseline's start that lack the data for every expectation, such as nodes for policies. */
    readonly lacking: number;
  };
}
