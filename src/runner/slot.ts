/** Place of a call in a run: which scenario it holds, and which of the scenario's trials it is. */
export interface Slot {
  readonly scenario: string;
  /** Number of the repetition, from 1. */
  readonly trial: number;
  /** Number of the attempt, from 1: a trial is held again when its simulated caller was not to be trusted. */
  readonly attempt: number;
}

/** Returns the slot without the other properties of an object. */
export function slotOf({ scenario, trial, attempt }: Slot): Slot {
  return { scenario, trial, attempt };
}
