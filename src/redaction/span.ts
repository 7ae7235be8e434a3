import { isReference } from "./words.ts";

/** What gave a secret away. */
export type SecretKind = "key" | "header" | "url" | "token";

/** The part of a text that is secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** What it is, for the name of its variable: `cal_api_key`, `Authorization`, `url_token`. */
  readonly about: string;
}

/** The spans of a text without overlaps, in order; of two that overlap the first of the list is kept. */
export function disjoint(text: string, found: readonly Span[]): readonly Span[] {
  if (found.length === 0) return [];
  // characters that an earlier span has: to compare each span with all others takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const kept = found.filter(({ start, end }) => {
    if (isReference(text.slice(start, end)) || covered.subarray(start, end).includes(1)) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}
