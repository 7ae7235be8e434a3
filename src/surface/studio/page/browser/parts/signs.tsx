import { percent, SIGNS, STATUS_WORDS } from "../../../../web/browser/mod.ts";

/** Statuses of trials, and verdicts on scenarios and runs. */
export type Status = keyof typeof SIGNS;

/** The coloured sign of a status. Its word must stand beside it, or be its label. */
export function Sign({ status }: { readonly status: Status }) {
  return (
    <span class={`sign ${status}`} aria-hidden="true">
      {SIGNS[status]}
    </span>
  );
}

/** A status as a sign with its word. */
export function Badge({ status, words }: { readonly status: Status; readonly words?: string }) {
  return (
    <span class={`badge ${status}`}>
      <Sign status={status} />
      {words ?? STATUS_WORDS[status]}
    </span>
  );
}

/** A pass rate with its 95 % interval. */
export interface RateFacts {
  readonly passes: number;
  readonly judged: number;
  readonly rate: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
  /** The rate that is needed. */
  readonly needed?: number;
}

/** A pass rate on a track from 0 to 100 %: a dot, and a band for its interval. */
export function RateBar({ passes, judged, rate, low, high, needed }: RateFacts) {
  if (rate === null || judged === 0)
    return <span class="rate empty" role="img" aria-label="no trial passed or failed" />;
  const at = (share: number) => `${(share * 100).toFixed(2)}%`;
  const [from, to] = [low ?? rate, high ?? rate];
  const label = `${passes} of ${judged} passed, ${intervalWords(from, to)}`;
  return (
    <span class="rate" role="img" aria-label={label} title={label}>
      <span class="band" style={{ left: at(from), width: at(to - from) }} />
      {needed !== undefined && <span class="gate" style={{ left: at(needed) }} />}
      <span class="point" style={{ left: at(rate) }} />
    </span>
  );
}

/** `95 % interval 61 to 92 %`. */
export function intervalWords(low: number, high: number): string {
  return `95 % interval ${percent(low).replace(" %", "")} to ${percent(high)}`;
}
