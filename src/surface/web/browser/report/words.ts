import type { PageCounts, PageNode, PageStatus, PageVerdict } from "../../page_data.ts";

/** Signs of statuses and verdicts, so that no meaning depends on colours alone. */
export const SIGNS: { readonly [Name in PageStatus | PageVerdict]: string } = {
  pass: "✓",
  fail: "✗",
  error: "!",
  invalid: "∅",
  imported: "·",
  cancelled: "–",
  undecided: "?",
};

/** Words for statuses and verdicts. */
export const STATUS_WORDS: { readonly [Name in PageStatus | PageVerdict]: string } = {
  pass: "passed",
  fail: "failed",
  error: "error",
  invalid: "invalid",
  imported: "imported",
  cancelled: "cancelled",
  undecided: "undecided",
};

/** The order in which statuses are listed. */
export const STATUSES: readonly PageStatus[] = ["fail", "error", "invalid", "cancelled", "imported", "pass"];

/** Number of trials that passed or failed. */
export function judged({ pass = 0, fail = 0 }: PageCounts): number {
  return pass + fail;
}

/** Formats counts: `3 failed, 30 passed`. */
export function statusCounts(counts: PageCounts): string {
  return STATUSES.filter((status) => counts[status])
    .map((status) => countOf(status, counts[status] ?? 0))
    .join(", ");
}

/** `3 failed`, `1 error`, `2 errors`. */
export function countOf(status: PageStatus, count: number): string {
  return status === "error" ? counted(count, "error") : `${count.toLocaleString("en-US")} ${STATUS_WORDS[status]}`;
}

/** `1 turn`, `2,000 turns`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}

/** Formats milliseconds with a suitable unit: `340 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats the time since the call's start as a clock. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** US dollars, with enough digits for small amounts. */
export function dollars(amount: number): string {
  return amount >= 1 || amount === 0 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(2))}`;
}

/** Formats a share as a percentage that is 100 % only for all and 0 % only for none. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  const bounded = share < 1 && rounded === 100 ? 99 : share > 0 && rounded === 0 ? 1 : rounded;
  return `${bounded} %`;
}

/** A score with two digits, or more where two would round it up to a threshold. */
export function scoreText(score: number): string {
  const short = score.toFixed(2);
  return Number(short) === score ? short : String(score);
}

/** Formats a date and time in the reader's time zone. */
export function dateText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** How people call a node; empty for none. */
export function nodeLabel(node: PageNode | undefined): string {
  return node?.name ?? node?.id ?? "";
}
