/** The judge's verdict on one criterion. */
export interface Verdict {
  readonly criterion: string;
  /** The criterion as the judge understood it. */
  readonly requirement: string;
  /**
   * Whether the criterion is met by something that is said or done (`presence`), or by something that is not
   * (`absence`), which no words of the call can show. Absent in the flow judge's verdict and in older results.
   */
  readonly claims?: "presence" | "absence";
  /** Quotations from the transcript; empty when there are none. */
  readonly evidence: string;
  /**
   * Whether every quotation was said by the speaker it names. Without a quotation, `false` where words of the call must
   * show the result: for a presence that passes and an absence that fails. Absent where there is nothing to quote.
   */
  readonly evidenceFound?: boolean;
  readonly reasoning: string;
  /** From 0 to 1. */
  readonly score: number;
  /** From 0 to 1, as stated by the judge; absent when it stated none. */
  readonly confidence?: number;
  /** Score needed to pass, from 0 to 1. */
  readonly threshold: number;
  /** Computed from score and threshold, not by a model. */
  readonly passed: boolean;
  /** The verdict of each judge of a panel; absent for a single judge. More than half must pass. */
  readonly votes?: readonly JudgeVote[];
  /** The steps of the call's path, in the verdict of the flow judge; absent for other criteria. */
  readonly steps?: readonly FlowStep[];
}

/** A step of a call's path for the flow judge: a transition, or a turn after which the call stayed. */
export interface FlowStep {
  /** The caller's messages so far: 0 is the opening. */
  readonly turn: number;
  /** Id of the node with the choice. */
  readonly node: string;
  /** Id of the node that the call went to; `null`: it stayed. */
  readonly took: string | null;
  readonly right: boolean;
  /** For a wrong step, the node that it should have gone to; `null`: it should have stayed. */
  readonly instead?: string | null;
  /** Words of the call that decide it; empty when there are none. */
  readonly quote: string;
  readonly reasoning: string;
}

/** The verdict of one judge of a panel. */
export interface JudgeVote {
  /** From 0 to 1. */
  readonly score: number;
  readonly passed: boolean;
  /** From 0 to 1, as stated by the judge; absent when it stated none. */
  readonly confidence?: number;
  readonly reasoning: string;
}

/** Kinds of {@link CheckResult}. */
export const CHECK_KINDS = [
  "includes",
  "excludes",
  "patterns",
  "visits",
  "avoids",
  "ends",
  "extracts",
  "calls",
  "latency",
  "check",
  "policy",
] as const;

/**
 * What a check is about: an expectation of the scenario, by its key (`includes`, `visits`, `ends`, …); `latency` for
 * `answers_within_ms`, `check` for a custom check, `policy` for a policy.
 */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** Result of an expectation that needs no judge. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** The expectation in one line: `intent == book`. */
  readonly expected: string;
  readonly passed: boolean;
  /** The actual value, or where it was found. */
  readonly reason: string;
  /** Score from 0 to 1, if a custom check returned one. */
  readonly score?: number;
  /** Score needed to pass, from 0 to 1. */
  readonly threshold?: number;
}
