import { isReference } from "./words.ts";

/** How a secret was recognized. */
export type SecretKind = "key" | "header" | "url" | "token";

/** A secret part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** Base of the variable's name: `cal_api_key`, `Authorization`, `url_token`. */
  readonly about: string;
}

/** Sorts spans and removes overlaps; the first span in the list wins. */
export function disjoint(text: string, found: readonly Span[]): readonly Span[] {
  if (found.length === 0) return [];
  // marks characters, because comparing every pair of spans takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const kept = found.filter(({ start, end }) => {
    if (isReference(text.slice(start, end)) || covered.subarray(start, end).includes(1)) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}
