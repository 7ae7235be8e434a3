import { isReference } from "./words.ts";

/** How a secret was recognized. */
export type SecretKind = "key" | "header" | "url" | "token";

/** The part of a text that is secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** The name that its variable gets: `cal_api_key`, `Authorization`, `url_token`. */
  readonly about: string;
}

/** The spans of a text in order, without overlaps; the first in the list wins. */
export function disjoint(text: string, found: readonly Span[]): readonly Span[] {
  if (found.length === 0) return [];
  // marks characters: comparing every pair of spans takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const kept = found.filter(({ start, end }) => {
    if (isReference(text.slice(start, end)) || covered.subarray(start, end).includes(1)) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}
