import jsTokens from "js-tokens";

/**
 * A character of a literal as written, and its value: `\n` and a line break.
 */
interface Unit {
  readonly raw: string;
  readonly text: string;
}

/** A string or a template without expressions in the text of a module. */
export interface SourceLiteral {
  /** Index of its first quotation mark in the module. */
  readonly start: number;
  /** As written, with its quotation marks. */
  readonly raw: string;
  readonly quote: string;
  readonly units: readonly Unit[];
  /** The text that the literal stands for, with escapes resolved. */
  readonly text: string;
}

/** An escape sequence, a line break, or one UTF-16 unit. */
const UNIT = /\\(?:\r\n|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])|\r\n|[\s\S]/gi;
const NAMED: ReadonlyMap<string, string> = new Map([
  ...[..."bfnrtv"].map((letter, index) => [letter, "\b\f\n\r\t\v".charAt(index)] as const),
  ...["\n", "\r\n", "\r", "\u2028", "\u2029"].map((end) => [end, ""] as const), // a line continuation
]);

/** All string literals and templates without expressions of a JavaScript or TypeScript module, in order. */
export function literalsIn(source: string): readonly SourceLiteral[] {
  const found: SourceLiteral[] = [];
  let start = 0;
  for (const token of jsTokens(source)) {
    const { type, value: raw } = token;
    if ((type === "StringLiteral" || type === "NoSubstitutionTemplate") && token.closed) {
      const units = unitsOf(raw.slice(1, -1));
      found.push({ start, raw, quote: raw.charAt(0), units, text: units.map(({ text }) => text).join("") });
    }
    start += raw.length;
  }
  return found;
}

function unitsOf(body: string): readonly Unit[] {
  return (body.match(UNIT) ?? []).map((raw) => ({ raw, text: meaningOf(raw) }));
}

function meaningOf(raw: string): string {
  if (raw === "\r\n") return "\n"; // a template's line breaks
  if (!raw.startsWith("\\")) return raw;
  const sequence = raw.slice(1);
  const code = /^u\{([\da-f]+)\}$|^[ux]([\da-f]{2,4})$/i.exec(sequence);
  const digits = code?.[1] ?? code?.[2];
  if (digits !== undefined && Number.parseInt(digits, 16) <= 0x10ffff)
    return String.fromCodePoint(Number.parseInt(digits, 16));
  if (/^[0-7]+$/.test(sequence)) return String.fromCharCode(Number.parseInt(sequence, 8));
  return NAMED.get(sequence) ?? sequence;
}
