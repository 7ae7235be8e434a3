import jsTokens from "js-tokens";
import type { Path } from "../../base/errors.ts";
import { isRecord, own, replaceAt } from "../../base/values/mod.ts";
import { type AgentGraph, contentOf } from "../../document/graph/mod.ts";

/** A text of a graph, and its replacement in another version. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
  /** Its paths in the graph; several if tools of several nodes are the same. */
  readonly paths: readonly Path[];
}

/** The differences of two versions of a graph. */
export interface TextChanges {
  readonly texts: readonly TextChange[];
  /** Paths of differences that are not texts, such as an added transition. */
  readonly others: readonly Path[];
}

/** Finds the texts in which two versions of a graph differ. */
export function textChanges(before: AgentGraph, after: AgentGraph): TextChanges {
  const found = new Map<string, { before: string; after: string; paths: Path[] }>();
  const others: Path[] = [];
  const compare = (from: unknown, to: unknown, path: Path): void => {
    if (typeof from === "string" && typeof to === "string") {
      if (from === to) return;
      const key = JSON.stringify([from, to]);
      const known = found.get(key);
      if (known) known.paths.push(path);
      else found.set(key, { before: from, after: to, paths: [path] });
    } else if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
      for (const [index, item] of from.entries()) compare(item, to[index], [...path, index]);
    } else if (isRecord(from) && isRecord(to)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(to)]))
        compare(own(from, key), own(to, key), [...path, key]);
    } else if (from !== to) others.push(path);
  };
  compare(contentOf(before), contentOf(after), []);
  return { texts: [...found.values()], others };
}

/** The graph with one text changed. */
export function withText(graph: AgentGraph, { after, paths }: TextChange): unknown {
  return paths.reduce<unknown>((changed, path) => replaceAt(changed, path, after), contentOf(graph));
}

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
