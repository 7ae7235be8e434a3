import { hasLuhnDigit, ibanRest, luhnDigit } from "../../../../base/values/mod.ts";
import { drawDigits, type Keyed } from "../keyed.ts";

/** Kinds of numbers. `tail`: the last digits of another number. `secret`: a PIN or a card's security code. */
export type PersonalNumberKind = "phone" | "card" | "social" | "number" | "tail" | "secret" | "zip";

/**
 * The pseudonym of a number's digits, of the same length except for phone numbers. None of these numbers is assigned:
 *
 * - phones: ten digits with the exchange 555, which is reserved for fiction, in an area code with the middle digit 9,
 *   which is never assigned, and check digits at the end;
 * - cards: prefix 99999, which no bank has, and the right check digit;
 * - social security numbers: area 000, which is never assigned;
 * - other numbers: prefix 9, and three check digits at the end;
 * - ZIP codes: prefix 000. PINs and security codes: zeros.
 */
export function numberFor(digits: string, kind: PersonalNumberKind, keyed: Keyed): string {
  if (isMadeUp(digits, kind)) return digits;
  const draw = keyed(kind === "secret" ? "number" : kind, digits);
  const { length } = digits;
  if (kind === "phone") {
    const front = `${draw(7) + 2}9${draw(10)}555${draw(8) + 2}${draw(10)}`;
    return front + String(draw(4) * PHONE_CHECK + phoneCheck(front)).padStart(2, "0");
  }
  if (kind === "card") {
    const body = `99999${drawDigits(draw, length - 6)}`;
    return body + luhnDigit(body);
  }
  if (kind === "social") return `000${drawDigits(draw, length - 3)}`;
  if (kind === "zip") return `000${drawDigits(draw, Math.max(0, length - 3))}`.slice(0, length);
  if (kind === "secret") return "0".repeat(length);
  if (length < 5) return withCheckDigit(`00${draw(10)}`.slice(0, length - 1));
  const body = `9${drawDigits(draw, length - 4)}`;
  return body + checkDigits(body);
}

/** Whether digits are a pseudonym already. */
export function isMadeUp(digits: string, kind: PersonalNumberKind): boolean {
  if (kind === "phone")
    return (
      /^1?[2-8]9\d555[2-9]\d{3}$/.test(digits) &&
      Number(digits.slice(-2)) % PHONE_CHECK === phoneCheck(digits.slice(-10, -2))
    );
  if (kind === "card") return digits.startsWith("99999") && hasLuhnDigit(digits);
  if (kind === "social" || kind === "zip") return digits.startsWith("000");
  if (kind === "secret") return /^0+$/.test(digits);
  if (digits.length < 5) return digits.startsWith("00") && digits === withCheckDigit(digits.slice(0, -1));
  return digits.startsWith("9") && digits.slice(-3) === checkDigits(digits.slice(0, -3));
}

/** Whether digits are the pseudonym of any kind of number. */
export function isAnyMadeUp(digits: string): boolean {
  const kinds: readonly PersonalNumberKind[] = digits.length === 9 ? ["social", "number"] : ["phone", "card", "number"];
  return digits.length >= 5 && kinds.some((kind) => isMadeUp(digits, kind));
}

/** The last two digits of a phone number's pseudonym: derived from the others, with four variants. */
const PHONE_CHECK = 25;

function phoneCheck(front: string): number {
  return Number(checkDigits(front)) % PHONE_CHECK;
}

/** Three check digits, by which a pseudonym is recognized without the key. */
function checkDigits(body: string): string {
  let sum = 7;
  for (const digit of body) sum = (sum * 31 + Number(digit) + 1) % 997;
  return String(sum).padStart(3, "0");
}

function withCheckDigit(body: string): string {
  return body + ((Number(body) * 7 + 3) % 10);
}

/** The pseudonym of an IBAN: with the unassigned country code XX and the right check digits. */
export function ibanFor(iban: string, keyed: Keyed): string {
  if (iban.startsWith("XX")) return iban;
  const draw = keyed("iban", iban);
  const body = [...iban.slice(4)].map((each) => (/\d/.test(each) ? String(draw(10)) : "XYZ"[draw(3)])).join("");
  return `XX${String(98 - ibanRest(`XX00${body}`)).padStart(2, "0")}${body}`;
}
