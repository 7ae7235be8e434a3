import type { SourceLiteral } from "./literals.ts";

/**
 * Rewrites a literal with another text. The common beginning and end of both texts keep their spelling,
 * with their escapes; the rest is escaped for the literal's quotation marks.
 *
 * @param lineBreak Line break of the module, for templates.
 * @returns The new literal, with its quotation marks.
 */
export function rewriteLiteral({ units, quote, text: before }: SourceLiteral, after: string, lineBreak = "\n"): string {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  let head = 0; // units that stay at the beginning
  let from = 0; // what they mean, in characters
  for (const { text } of units) {
    if (from + text.length > same) break;
    from += text.length;
    head += 1;
  }
  let sameEnd = 0;
  while (sameEnd < shorter - from && before.at(-1 - sameEnd) === after.at(-1 - sameEnd)) sameEnd++;
  let tail = 0;
  let until = 0;
  for (const { text } of units.slice(head).reverse()) {
    if (until + text.length > sameEnd) break;
    until += text.length;
    tail += 1;
  }
  const raw = (list: SourceLiteral["units"]) => list.map((unit) => unit.raw).join("");
  const middle = escaped(after.slice(from, after.length - until), quote, lineBreak);
  const [start, end] = [raw(units.slice(0, head)), raw(units.slice(units.length - tail))];
  return quote + safeJoin(safeJoin(start, middle, quote), end, quote) + quote;
}

/** Escapes a text for the inside of a literal. */
function escaped(text: string, quote: string, lineBreak: string): string {
  const plain = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`).replaceAll("\u0000", "\\x00");
  if (quote === "`") return plain.replaceAll("${", "\\${").replaceAll("\r", "\\r").replaceAll("\n", lineBreak);
  return plain
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Joins parts of a literal, so that parts of a template do not begin an expression together. */
function safeJoin(left: string, right: string, quote: string): string {
  const dollar = quote === "`" && /(?:^|[^\\])(?:\\\\)*\$$/.test(left) && right.startsWith("{");
  return dollar ? `${left}\\${right}` : left + right;
}
