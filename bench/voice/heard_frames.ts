/** What bots have heard of their callers. */
export interface HeardFrames {
  /** Frames that were due, by the times of the streams. */
  readonly due: number;
  readonly sent: number;
  /** Of each bot: milliseconds from the caller's last word to each reply; the first is that of the opening. */
  readonly planted: readonly (readonly number[])[];
}
