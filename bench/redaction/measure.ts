import type { Pseudonymizer } from "../../api/calls.ts";
import { type Item, LOCALES, type Locale, leftOf, makeItems, makeOrdinary } from "./generate.ts";
import { KINDS, type Kind, type Language, type Sentences } from "./sentences.ts";

/** What a locale's items become. */
export interface Measured {
  readonly locale: Locale;
  /** Percentage of the items that are replaced. */
  readonly found: { readonly [kind in Kind]: number };
  /** Percentage of the ordinary sentences that change. */
  readonly touched: number;
  readonly left: readonly Item[];
  readonly changed: readonly string[];
}

/** The locales in which personal data is made up. */
export const MEASURED: readonly Locale[] = ["en_US", "en_GB", "de", "fr", "es"];

/** Replaces generated items and ordinary sentences of a locale, each by itself. */
export function measure(
  locale: Locale,
  { text }: Pseudonymizer,
  sentences: { readonly [language in Language]: Sentences },
  { items, ordinary, seed }: { readonly items: number; readonly ordinary: number; readonly seed: number },
): Measured {
  const own = sentences[LOCALES[locale]];
  const made = makeItems(locale, items, seed, own);
  const left = made.filter((item) => leftOf(item, text(item.text)).length > 0);
  const plain = makeOrdinary(locale, ordinary, seed, own);
  const changed = plain.filter((sentence) => text(sentence) !== sentence);
  const share = (kind: Kind) => 100 - (100 * left.filter((item) => item.kind === kind).length) / items;
  const found = Object.fromEntries(KINDS.map((kind) => [kind, share(kind)])) as Measured["found"]; // every kind is there
  return { locale, found, touched: (100 * changed.length) / ordinary, left, changed };
}
