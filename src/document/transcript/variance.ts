import type { EndReason, Message } from "./call.ts";
import type { Verdict } from "./verdict.ts";

/** The repetitions of one trial, to find out why verdicts differ. */
export interface VarianceSample {
  /** The trial's own call first, then calls in which the agent heard the same words of the caller. */
  readonly calls: readonly VarianceCall[];
}

/** A call, judged one or more times. */
export interface VarianceCall {
  /** `error`: a model or the runner failed; such a call has no judgements. */
  readonly status: "judged" | "error";
  readonly endReason?: EndReason | undefined;
  readonly errorMessage: string | null;
  /** Absent for the trial's own call, whose transcript is the result's. */
  readonly transcript?: readonly Message[];
  readonly judgements: readonly VarianceJudgement[];
}

/** One judgement of a call. */
export interface VarianceJudgement {
  /** Whether all checks and criteria passed. */
  readonly passed: boolean;
  readonly verdicts: readonly Pick<Verdict, "criterion" | "score" | "passed">[];
}
