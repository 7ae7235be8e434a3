/** A lower and an upper bound. `Infinity`, in JSON `null`, means that there is no upper bound. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** Number of model calls. `worst` also counts repeated calls after a rejected, empty or unusable answer. */
export interface CallRange extends Range {
  readonly worst: number;
}

/** Model calls and tokens of one role in one call. */
export interface CountedUsage {
  readonly calls: CallRange;
  /** Estimated from prompt lengths and the average length of a turn on the phone. */
  readonly inputTokens: Range;
  readonly outputTokens: Range;
}

/** Adds ranges: the least of all, and the most. */
export function sumOfRanges(ranges: readonly Range[]): Range {
  return {
    least: ranges.reduce((all, { least }) => all + least, 0),
    most: ranges.reduce((all, { most }) => all + most, 0),
  };
}

/** Adds model calls and tokens. */
export function sumOfUsage(parts: readonly CountedUsage[]): CountedUsage {
  return {
    calls: {
      ...sumOfRanges(parts.map(({ calls }) => calls)),
      worst: parts.reduce((all, { calls }) => all + calls.worst, 0),
    },
    inputTokens: sumOfRanges(parts.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOfRanges(parts.map(({ outputTokens }) => outputTokens)),
  };
}
