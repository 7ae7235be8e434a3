import { hasLuhnDigit, ibanRest } from "../../../base/values/mod.ts";

/** Masks personal data of a text for a message. */
export interface PersonalData {
  readonly kind: string;
  readonly shown: string;
}

/** Mail services for private persons; a company's own address is no personal data. */
const PRIVATE_MAIL =
  /\b[\w.+-]+@(?:gmail|googlemail|yahoo|hotmail|outlook|icloud|aol|gmx|web|proton(?:mail)?)\.[a-z]{2,}\b/gi;
const CARD = /(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;
const SOCIAL_SECURITY = /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g;
/** Numbers and names that documents use as examples. */
const EXAMPLE =
  /^(?:123-45-6789|078-05-1120|(?:4111|4242|5555|3782|1234)[\d -]*|(?:john|jane|name|user|example|test|your)[\w.+-]*@.*)$/i;

/**
 * Personal data that a text holds: payment cards and bank accounts with the right check digits, social security numbers,
 * and addresses at mail services for private persons. Well-known examples are left out.
 */
export function personalDataIn(text: string): readonly PersonalData[] {
  if (!/[@\d]/.test(text)) return [];
  const find = (kind: string, pattern: RegExp, isReal: (found: string) => boolean) =>
    [...new Set((text.match(pattern) ?? []).map((found) => found.trim()))]
      .filter((found) => !EXAMPLE.test(found) && isReal(found))
      .map((found) => ({ kind, shown: `${found.slice(0, 3)}…` }));
  return [
    ...find("a private mail address", PRIVATE_MAIL, () => true),
    ...find("a payment card's number", CARD, isCard),
    ...find("a bank account's number", IBAN, isIban),
    ...find("a social security number", SOCIAL_SECURITY, () => true),
  ];
}

/** Whether digits are the number of a payment card. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, "");
  return /^[3-6]/.test(found) && hasLuhnDigit(digits);
}

function isIban(found: string): boolean {
  return ibanRest(found.replace(/ /g, "")) === 1;
}
