import type { Code } from "./code.ts";

/** Characters that editors hide, change or cannot save: control characters, lone surrogates, line separators, bidirectional marks. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00a0\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff0-\ufffb]/gu;

const SHORT = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeUnseen(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SHORT.get(character) ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** A string literal in the quotes that need fewer escapes; double quotes if both need the same number. */
export function quoted(text: string): string {
  const count = (quote: string) => text.split(quote).length;
  const quote = count('"') > count("'") ? "'" : '"';
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(UNSEEN, (character) => escapeUnseen(character));
  return `${quote}${escaped}${quote}`;
}

/** A single-line text as code. */
export function stringCode(text: string): Code {
  return { kind: "atom", text: quoted(text), is: "string" };
}

/** A template literal with the text's own line breaks. White space at the end of a line is escaped: editors remove it. */
export function templateCode(text: string): Code {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replace(UNSEEN, (character) => (character === "\n" ? character : escapeUnseen(character)))
    .replace(/ (?=\n)/g, "\\x20");
  return { kind: "template", text: `\`${escaped}\`` };
}

/** A property's key, without quotes if possible. */
export function propertyKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]'; // without brackets it would set the object's prototype
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(key) ? key : quoted(key);
}
