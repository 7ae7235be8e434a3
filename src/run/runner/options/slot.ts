/** Which call of a run this is: its scenario, trial and attempt. */
export interface TrialAttempt {
  readonly scenario: string;
  /** Number of the repetition, from 1. */
  readonly trial: number;
  /** Number of the attempt, from 1: a trial is repeated if its simulated caller was unreliable. */
  readonly attempt: number;
}
