import { joinSpokenDigits } from "../../../base/values/mod.ts";
import { foldText } from "../fold.ts";

/** A fact that can be recognised by its form, as it was said. */
export interface StatedFact {
  readonly kind: "email" | "number" | "code";
  readonly text: string;
}

/** Minimum number of digits of a number that is a fact; shorter ones are amounts, ages and ordinals. */
const LEAST_DIGITS = 4;

/** Replaces what was removed from a line, so that the numbers before and after it are not joined. */
const GAP = ";";

/** Digits of a phone number without its country code, which people may leave out. */
const PHONE_DIGITS = 9;

// each pattern has a length limit or starts at a boundary, so that matching takes linear time
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const CLOCK = /\b\d{1,2}[:.]\d{2}(?::\d{2})?(?=\s*(?:[ap]\.?m\b|o['’]clock|uhr\b|h\b|[,.;!?\s]|$))/gi;
const CODE =
  /(?<![\p{L}\d])(?=[\p{Ll}\d-]{0,40}\p{Lu})(?=[\p{L}-]{0,40}\d[\p{L}-]{0,40}\d)[\p{L}\d]{1,20}(?:-[\p{L}\d]{1,20}){0,4}(?![\p{L}\d])/gu;
// a comma joins groups of thousands; with a space after it, it separates numbers, as a full stop does
const NUMBER = /\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)?/g;
const DATE = /(?<!\d)\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)/g;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Finds the facts of a line that have a form: e-mail addresses, codes of capitals and digits, and numbers of four digits
 * or more such as those of orders, accounts and phones, also digits that are spoken one by one. Times of day,
 * dates and years are not taken for facts: people choose them, and write them in many ways.
 */
export function statedFacts(line: string): readonly StatedFact[] {
  const facts: StatedFact[] = [];
  const take = (kind: StatedFact["kind"], text: string, pattern: RegExp, isFact: (found: string) => boolean) =>
    text.replace(pattern, (found) => {
      if (!isFact(found)) return found;
      facts.push({ kind, text: found });
      return GAP;
    });
  let rest = take("email", line, EMAIL, () => true);
  rest = rest.replace(DATE, GAP).replace(CLOCK, GAP);
  rest = take("code", rest, CODE, (found) => found.replaceAll(/[^\p{L}\d]/gu, "").length >= LEAST_DIGITS);
  take("number", joinSpokenDigits(rest), NUMBER, (found) => {
    const digits = found.replaceAll(/\D/g, "");
    return digits.length >= LEAST_DIGITS && !YEAR.test(digits);
  });
  return facts;
}

/** Whether a text states a fact in any spelling: with other separators, in another case, digit by digit. */
export function states(text: string, { kind, text: fact }: StatedFact): boolean {
  const spoken = joinSpokenDigits(text);
  if (kind === "number") {
    return spoken.replaceAll(/\D/g, "").includes(fact.replaceAll(/\D/g, "").slice(-PHONE_DIGITS));
  }
  const plain = (words: string) => foldText(words).replaceAll(/[^\p{L}\d]/gu, "");
  return plain(spoken).includes(plain(fact)) || plain(text).includes(plain(fact));
}
