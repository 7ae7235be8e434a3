import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { groupBy } from "../group_by.ts";
import { madeOnce, madeOnceFor } from "../time.ts";
import { canonicalJson, getAt, isRecord, type JsonObject, own, sameJson } from "./json.ts";
import {
  indentOf,
  type JsonPart,
  type JsonParts,
  type JsonStyle,
  jsonParts,
  jsonStyle,
  printJson,
  printText,
  rangeOf,
} from "./json_style.ts";

/**
 * Merges an object into another, key by key at any depth. Other values replace those before.
 *
 * @param growing Keys whose lists are appended instead. Default: none.
 */
export function mergeJson(base: JsonObject, extra: JsonObject, growing: ReadonlySet<string> = new Set()): JsonObject {
  const merged = Object.entries(extra).map(([key, value]): [string, unknown] => {
    const before = own(base, key);
    if (isRecord(before) && isRecord(value)) return [key, mergeJson(before, value, growing)];
    if (growing.has(key) && Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]];
    return [key, value];
  });
  return Object.fromEntries([...Object.entries(base), ...merged]);
}

/** Options of {@link editJson}. */
export interface EditJsonOptions {
  /** Keys that identify an object within its list; see {@link matchItems}. */
  readonly keys?: readonly string[];
  /** Returns the kind of a list item. Items of different kinds are never matched. */
  readonly kindOf?: (item: unknown) => string | undefined;
}

/** A part of the new text. `part` is its old position, absent if it is new. `text` is called when writing. */
interface NewPart {
  readonly part?: JsonPart;
  /** @param indent White space at the start of its line; absent when it is within a line. */
  readonly text: (indent: string | undefined) => string;
}

/**
 * Writes a new value into a JSON text. Unchanged parts keep their white space, key order, escapes and large numbers;
 * new parts are written in the style of the surrounding text.
 *
 * @param text Valid JSON, with or without a byte order mark.
 */
export function editJson(text: string, value: unknown, options: EditJsonOptions = {}): string {
  return edited(parsed(text), value, options);
}

/** Like {@link editJson}, for a document that may be edited many times: its text is parsed once. */
export function editDocument(document: { readonly text: string }, value: unknown, options?: EditJsonOptions): string {
  const known = parsedOnce(document);
  return edited(known.text === document.text ? known : parsed(document.text), value, options);
}

interface ParsedText {
  readonly text: string;
  /** The text without a byte order mark. */
  readonly source: string;
  readonly current: unknown;
  /** Parsed with positions when the value differs. */
  readonly syntax: () => { readonly body: ValueNode; readonly style: JsonStyle };
}

const parsedOnce = madeOnceFor(({ text }: { readonly text: string }) => parsed(text));

function parsed(text: string): ParsedText {
  const source = text.replace(/^\uFEFF/, "");
  const syntax = madeOnce(() => {
    const { body } = parse(source, { mode: "json", ranges: true });
    return { body, style: jsonStyle(source, body) };
  });
  return { text, source, current: JSON.parse(source), syntax };
}

function edited({ text, source, current, syntax }: ParsedText, value: unknown, options: EditJsonOptions = {}): string {
  if (sameJson(current, value)) return text;
  const { keys = [], kindOf } = options;
  const { body, style } = syntax();

  const write = (node: ValueNode, known: unknown, after: unknown, indent: string | undefined): string => {
    if (sameJson(known, after)) return source.slice(...rangeOf(node));
    const old = jsonParts(source, node);
    if (typeof known === "string" && typeof after === "string")
      return editText(source.slice(...rangeOf(node)), after, style);
    if (isRecord(known) && isRecord(after)) return wrap("{}", old, members(old.parts, known, after), indent);
    if (Array.isArray(known) && Array.isArray(after)) return wrap("[]", old, elements(old.parts, known, after), indent);
    return printJson(after, style, indent);
  };

  const members = (parts: readonly JsonPart[], before: JsonObject, after: JsonObject): NewPart[] => {
    const kept = parts.filter(
      ({ name }) => name !== undefined && after[name] !== undefined && Object.hasOwn(after, name),
    );
    const last = new Map(kept.map((part) => [part.name, part]));
    const keep = (part: JsonPart): NewPart => ({
      part,
      // the last of several members with the same name counts
      text: (indent) => {
        const name = part.name ?? "";
        const isLast = last.get(name) === part;
        const value = isLast
          ? write(part.value, before[name], after[name], indent)
          : source.slice(...rangeOf(part.value));
        return `${part.nameText}${part.colon}${value}`;
      },
    });
    const add = (name: string): NewPart => ({
      text: (indent) => `${printText(name, style)}${style.colon}${printJson(after[name], style, indent)}`,
    });
    const names = Object.keys(after).filter((name) => after[name] !== undefined);
    const known = Object.keys(before).filter((name) => last.has(name));
    const isOrdered = sameJson(
      known,
      names.filter((name) => last.has(name)),
    );
    if (!isOrdered)
      return names.flatMap((name) =>
        last.has(name) ? kept.filter((part) => part.name === name).map(keep) : [add(name)],
      );
    const result = kept.map(keep);
    let at = 0;
    for (const name of names) {
      const found = result.findLastIndex(({ part }) => part?.name === name);
      if (found < 0) result.splice(at++, 0, add(name));
      else at = found + 1;
    }
    return result;
  };

  const elements = (parts: readonly JsonPart[], before: readonly unknown[], after: readonly unknown[]): NewPart[] => {
    const matches = matchItems(before, after, keys, kindOf);
    return after.map((item, index) => {
      const match = matches[index];
      const part = match === undefined ? undefined : parts[match];
      if (match === undefined || !part) return { text: (indent) => printJson(item ?? null, style, indent) };
      return { part, text: (indent) => write(part.value, before[match], item, indent) };
    });
  };

  const wrap = (brackets: string, old: JsonParts, parts: readonly NewPart[], indent: string | undefined): string => {
    const [open, close] = brackets;
    const [first, second] = old.parts;
    if (parts.length === 0) return brackets;
    const line =
      style.unit === undefined || indent === undefined ? undefined : `${style.newline}${indent}${style.unit}`;
    const firstLead = first?.lead ?? line ?? "";
    const otherLead = second?.lead ?? (indentOf(firstLead) === undefined ? style.gap : firstLead);
    const isTall = old.parts.some((part) => source.slice(...rangeOf(part.value)).includes("\n"));
    const inner = isTall ? indent : undefined;
    const texts = parts.map(({ part, text }, index) => {
      const stays = part !== undefined && (part === first) === (index === 0);
      const lead = stays ? part.lead : index === 0 ? firstLead : otherLead;
      return `${lead}${text(indentOf(lead) ?? inner)}${part?.trail ?? ""}`;
    });
    const closing = first ? old.closing : line === undefined ? "" : `${style.newline}${indent}`;
    return `${open}${texts.join(",")}${closing}${close}`;
  };

  const [start, end] = rangeOf(body);
  return (
    text.slice(0, text.length - source.length) +
    source.slice(0, start) +
    write(body, current, value, "") +
    source.slice(end)
  );
}

/** With more comparisons than this, unmatched items are paired by order only. */
const MOST_COMPARISONS = 2_500;
/** Share of equal keys above which objects with different or no identity count as the same, renamed object. */
const ALIKE = 0.5;

/**
 * Pairs the items of two versions of a list: by equal content, then by identity (the first of `keys` that an object
 * has), then by similarity, which finds renamed objects and objects without identity.
 *
 * @param keys Keys that identify an object within its list, strongest first: `id`, `name`, or a nested key such as
 *   `function.name`.
 * @param kindOf Returns the kind of an item. Items of different kinds are never paired.
 * @returns For each item of `after` the index of its counterpart in `before`, or `undefined` if it is new.
 */
export function matchItems(
  before: readonly unknown[],
  after: readonly unknown[],
  keys: readonly string[],
  kindOf: (item: unknown) => string | undefined = () => undefined,
): readonly (number | undefined)[] {
  const matches = pairEqual(before, after);
  const paired = new Set(matches);
  const open = new Set([...before.keys()].filter((index) => !paired.has(index)));
  const set = (index: number, match: number) => {
    matches[index] = match;
    open.delete(match);
  };
  const pairBy = (nameOf: (item: unknown) => string | undefined) => {
    const byName = groupBy(open, (index) => nameOf(before[index]));
    for (const [index, item] of after.entries()) {
      const name = matches[index] === undefined ? nameOf(item) : undefined;
      const match = name === undefined ? undefined : byName.get(name)?.shift();
      if (match !== undefined) set(index, match);
    }
  };
  for (const key of keys)
    pairBy((item) => {
      const name = identity(item, key);
      return name === undefined ? undefined : `${kindOf(item) ?? ""}:${name}`;
    });
  const unmatched = matches.flatMap((match, index) => (match === undefined ? [index] : []));
  if (open.size * unmatched.length > MOST_COMPARISONS) return matches;
  for (const { index, match } of alikePairs(before, after, unmatched, open, keys))
    if (matches[index] === undefined && open.has(match) && kindOf(before[match]) === kindOf(after[index]))
      set(index, match);
  return matches;
}

/** Returns the value of a key such as `id`, or of a nested key such as `function.name`. */
export function valueOfKey(item: unknown, key: string): unknown {
  return getAt(item, key.split("."));
}

function identity(item: unknown, key: string): string | undefined {
  const value = valueOfKey(item, key);
  if (value === "") return undefined;
  return typeof value === "string" || typeof value === "number" ? `${typeof value}:${value}` : undefined;
}

/** Returns similar pairs, the most similar first, then the nearest. */
function alikePairs(
  before: readonly unknown[],
  after: readonly unknown[],
  unmatched: readonly number[],
  open: ReadonlySet<number>,
  keys: readonly string[],
): readonly { readonly index: number; readonly match: number }[] {
  const pairs = unmatched.flatMap((index) =>
    [...open].flatMap((match) => {
      const score = similarity(before[match], after[index], keys);
      return score === undefined ? [] : [{ index, match, score, apart: Math.abs(index - match) }];
    }),
  );
  return pairs.sort((a, b) => b.score - a.score || a.apart - b.apart);
}

/** Returns the similarity from 0 to 1; `undefined` when the two cannot be the same. */
function similarity(a: unknown, b: unknown, keys: readonly string[]): number | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return 0;
  if (!isRecord(a) || !isRecord(b)) return undefined;
  const named = (item: JsonObject) => keys.some((key) => identity(item, key) !== undefined);
  if (named(a) && named(b) && !hasMore(a, keys) && !hasMore(b, keys)) return undefined;
  const share = equalShare(a, b, keys);
  return (named(a) || named(b)) && share < ALIKE ? undefined : share;
}

/** Whether an object has content besides its identity. */
function hasMore(item: JsonObject, keys: readonly string[]): boolean {
  return Object.entries(item).some(([key, value]) => {
    const inner = keys.flatMap((each) => (each.startsWith(`${key}.`) ? [each.slice(key.length + 1)] : []));
    return isRecord(value) && inner.length > 0 ? hasMore(value, inner) : !keys.includes(key);
  });
}

/** Returns the share of equal keys, recursively for objects. Identifying keys do not count. */
function equalShare(a: JsonObject, b: JsonObject, keys: readonly string[]): number {
  const inner = (key: string) =>
    keys.flatMap((each) => (each.startsWith(`${key}.`) ? [each.slice(key.length + 1)] : []));
  const hasOnlyNames = (value: unknown, key: string) =>
    isRecord(value) && Object.keys(value).every((name) => inner(key).includes(name));
  const all = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => {
    const [one, other] = [own(a, key), own(b, key)];
    const isNew = !isRecord(one) ? hasOnlyNames(other, key) : !isRecord(other) && hasOnlyNames(one, key);
    return !keys.includes(key) && !isNew;
  });
  if (all.length === 0) return 1;
  const shares = all.map((key): number => {
    const [one, other] = [own(a, key), own(b, key)];
    if (one !== undefined && sameJson(one, other)) return 1;
    if (Array.isArray(one) && Array.isArray(other)) return equalItems(one, other);
    return isRecord(one) && isRecord(other) ? equalShare(one, other, inner(key)) : 0;
  });
  return shares.reduce((sum, share) => sum + share, 0) / all.length;
}

/** Returns the share of equal objects in lists of one length: of a renamed node, one edge may lead to itself. */
function equalItems(one: readonly unknown[], other: readonly unknown[]): number {
  if (one.length !== other.length || !one.every(isRecord)) return 0;
  return one.filter((item, index) => sameJson(item, other[index])).length / one.length;
}

/**
 * Pairs each item of `after` with the first equal item of `before` that is not paired yet. Only items with equal texts,
 * numbers and keys are compared in depth: serializing all items would take most of the time of writing an edit.
 *
 * @returns For each item of `after` the index of its counterpart in `before`, or `undefined` if there is none.
 */
export function pairEqual(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const pairs: (number | undefined)[] = after.map(() => undefined);
  // most lists are equal, or equal up to one item
  let first = 0;
  for (const most = Math.min(before.length, after.length); first < most; first++) {
    if (!sameJson(before[first], after[first])) break;
    pairs[first] = first;
  }
  const known = groupBy(indexesFrom(first, before), (index) => surfaceOf(before[index]));
  for (const [surface, indexes] of groupBy(indexesFrom(first, after), (index) => surfaceOf(after[index]))) {
    const candidates = known.get(surface) ?? [];
    const [match] = candidates;
    const [index] = indexes;
    if (match === undefined || index === undefined) continue;
    if (candidates.length === 1 && indexes.length === 1) {
      if (sameJson(before[match], after[index])) pairs[index] = match;
      continue;
    }
    const open = groupBy(candidates, (each) => canonicalJson(before[each]));
    for (const each of indexes) pairs[each] = open.get(canonicalJson(after[each]))?.shift();
  }
  return pairs;
}

function indexesFrom(first: number, items: readonly unknown[]): readonly number[] {
  return [...items.keys()].slice(first);
}

/** Returns a text of the item without the content of inner lists and objects. Equal items have equal texts. */
function surfaceOf(item: unknown): string {
  if (!isRecord(item)) return brief(item);
  const keys = Object.keys(item).filter((key) => item[key] !== undefined);
  return keys
    .sort()
    .map((key) => `${key}:${brief(item[key])}`)
    .join();
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  return isRecord(value) ? "{}" : `${typeof value} ${value}`;
}

const HIGH = /[\uD800-\uDBFF]/;
const LOW = /[\uDC00-\uDFFF]/;

/**
 * Writes a new value into the literal of a JSON string. The start and the end that did not change keep their escapes.
 *
 * @param literal The string with its quotes.
 */
function editText(literal: string, after: string, style: JsonStyle): string {
  const units = literal.slice(1, -1).match(/\\u[0-9a-f]{4}|\\?[\s\S]/gi) ?? [];
  const before: readonly string[] = units.map((unit) => (unit.length === 1 ? unit : JSON.parse(`"${unit}"`)));
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (HIGH.test(after[start - 1] ?? "")) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (LOW.test(after[after.length - end] ?? "")) end--;
  const changed = printText(after.slice(start, after.length - end), style).slice(1, -1);
  return `"${units.slice(0, start).join("")}${changed}${units.slice(units.length - end).join("")}"`;
}
