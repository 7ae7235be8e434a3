/** A mutant that no test can kill, or that none should. */
export interface Equivalent {
  readonly file: string;
  /** Text of the mutated code, or how it starts; with `line`, where it occurs more than once. */
  readonly code: string;
  readonly becomes: string;
  readonly reason: string;
}

/** `npm run mutate` leaves these out of the score, and says which of them no mutant matches any more. */
export const EQUIVALENT: readonly Equivalent[] = [];
