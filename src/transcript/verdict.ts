/** What the judge found for one criterion. */
export interface Verdict {
  readonly criterion: string;
  /** What the judge took the criterion to ask for. */
  readonly requirement: string;
  /** What it quotes from the transcript; empty where nothing speaks for or against. */
  readonly evidence: string;
  /**
   * Whether all that is quoted was said in the call by the speaker that it names; also `false` where the criterion passes
   * without a quotation, and absent where it fails without one.
   */
  readonly evidenceFound?: boolean;
  readonly reasoning: string;
  /** 0 to 1. */
  readonly score: number;
  /** 0 to 1: how sure the judge says it is. */
  readonly confidence: number;
  /** 0 to 1: the score from which the criterion passes. */
  readonly threshold: number;
  /** Computed from score and threshold, never asked of a model. */
  readonly passed: boolean;
}

/** What a {@link CheckResult} looked at; each is a key of a scenario. */
export const CHECK_KINDS = [
  "includes",
  "excludes",
  "patterns",
  "visits",
  "avoids",
  "ends",
  "extracts",
  "calls",
  "check",
] as const;

/** The key of a scenario that a check looked at: `includes`, `visits`, `ends`, …; `check` for one of your own. */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** Whether one thing that a scenario expects, and no model has to judge, holds of a call. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** What was expected, as the scenario has it, in one line: `intent == book`. */
  readonly expected: string;
  readonly passed: boolean;
  /** What was found instead, or where it was found. */
  readonly reason: string;
  /** 0 to 1: of a check of one's own that scores. */
  readonly score?: number;
  /** 0 to 1: the score from which it passes. */
  readonly threshold?: number;
}
