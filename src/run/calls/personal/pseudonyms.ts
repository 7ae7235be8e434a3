import { createHmac, randomBytes } from "node:crypto";
import { env } from "node:process";
import { hasLuhnDigit, ibanRest, luhnDigit } from "../../../base/values/mod.ts";
import type { Dictionary } from "./dictionary.ts";

/** The pseudonym of a date of birth: a day of 1901 to 1909, when nobody alive was born. */
export function birthdateFor({ year, month, day }: CalendarDate, keyed: Keyed): CalendarDate {
  if (year > 1900 && year < 1910) return { year, month, day };
  const draw = keyed("birthdate", `${year}-${month}-${day}`);
  return { year: 1901 + draw(9), month: 1 + draw(12), day: 1 + draw(28) };
}

/** A day of the calendar; months and days from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const STARTS =
  "bel bran brel cal cor crel dal dor drel el fal fen fel gal gar gel gor hal har hel hol jar jor jel kel kir kor lan lor lel mal mer mor nel nor nal or per pal quil ral ros rel sel sor sal tal tor tel val vel ver wen wil wor yor yel zel zor zan".split(
    " ",
  );
const MIDDLES = "a e i o u an en in on ar er or al el il av ev iv ad ed".split(" ");
const ENDS =
  "bram dovan dric dwyn fane fell gard gren leth lind lora mira mond moran nath neth nova quin rath ric ryn sante thea thor vane vara vell vern wick wyn zora dora dell brin kell lyn mont phine rell stan trell vance vira".split(
    " ",
  );
const SHAPE = new RegExp(`^(?:${STARTS.join("|")})(?:${MIDDLES.join("|")})(?:${ENDS.join("|")})$`);

/** Makes invented names that nobody has; a name that is already invented stays. */
export interface NamePool {
  /** The invented name of a word, in lower case. */
  readonly nameOf: (word: string) => string;
  /** Whether a word is an invented name. */
  readonly has: (word: string) => boolean;
}

/** Creates the pool. Its 52,000 names are combined from syllables; existing names are left out. */
export function createNamePool(keyed: Keyed, { isName }: Dictionary): NamePool {
  const kept = new Map<string, string>();
  const has = (word: string) => SHAPE.test(word) && !isName(word);
  return {
    has,
    nameOf: (word) => {
      const known = kept.get(word);
      if (known !== undefined) return known;
      const draw = keyed("name", word);
      const part = (parts: readonly string[]) => parts[draw(parts.length)] ?? "";
      let name = "";
      do name = part(STARTS) + part(MIDDLES) + part(ENDS);
      while (!has(name));
      kept.set(word, name);
      return name;
    },
  };
}

/** Writes a word with the capitals of another one: `MARIA`, `Maria` or `maria`. */
export function inCaseOf(word: string, model: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  const first = model[0] ?? "";
  return first === first.toLowerCase() ? word : word.slice(0, 1).toUpperCase() + word.slice(1);
}

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

/** Environment variable with the key of pseudonyms. */
const KEY_VARIABLE = "CALLWEAVE_REDACT_KEY";

/** Draws integers from 0 up to a limit. The same value gives the same series. */
export type Draw = (below: number) => number;

/** Returns the series of numbers of a value. */
export type Keyed = (kind: string, value: string) => Draw;

/**
 * Creates a keyed source of pseudonyms: HMAC-SHA-256 of a value. Without the key, nobody can find the value of a
 * pseudonym by trying all phone numbers.
 *
 * @param key Default: `CALLWEAVE_REDACT_KEY`, else 32 random bytes that are not kept.
 */
export function createKeyed(key: string = env[KEY_VARIABLE] ?? ""): Keyed {
  const secret = key === "" ? randomBytes(32) : key;
  return (kind, value) => {
    let block = 0;
    let at = 0;
    let bytes = digest(secret, `${kind}\0${value}\0${block}`);
    return (below) => {
      if (at + 6 > bytes.length) {
        block++;
        at = 0;
        bytes = digest(secret, `${kind}\0${value}\0${block}`);
      }
      const number = bytes.readUIntBE(at, 6);
      at += 6;
      return number % below;
    };
  };
}

function digest(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Returns `count` digits, each drawn on its own; zeros may come first. */
function drawDigits(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => draw(10)).join("");
}
