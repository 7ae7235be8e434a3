/** Answers after which the typical latency of a kind of request is known. */
const FIRST_ANSWERS = 8;
/** Maximum number of answers for the typical latency at the first limit. */
const MOST_ANSWERS = 32;
/** Answers of each later measurement. */
const LATER_ANSWERS = 64;

/** The latency of one kind of request while the server is not busy with the run. */
export interface TypicalLatency {
  /** `undefined` until there are enough answers. */
  readonly ms: number | undefined;
  /**
   * Adds the latency of an answer.
   *
   * @param isAtStart Whether the run still has its first limit. Its answers set the typical latency; later ones, of a
   *   busier server, can only lower it, as after a cold start.
   */
  add(ms: number, isAtStart: boolean): void;
}

/** Creates the measurement of one kind of request. */
export function createTypicalLatency(): TypicalLatency {
  let typical: number | undefined;
  let answers: number[] = [];
  return {
    get ms() {
      return typical;
    },
    add: (ms, isAtStart) => {
      answers.push(ms);
      if (answers.length < FIRST_ANSWERS) return;
      if (isAtStart) answers = answers.slice(-MOST_ANSWERS);
      if (isAtStart || typical === undefined) typical = median(answers);
      if (isAtStart || answers.length < LATER_ANSWERS) return;
      typical = Math.min(typical, median(answers));
      answers = [];
    },
  };
}

/** The median. Unlike the mean, it is robust against one outlier. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
