import { type Environment, knownSecrets } from "./environment.ts";
import { disjoint } from "./span.ts";
import { tokenSpans } from "./tokens.ts";
import { passwordSpans } from "./urls.ts";

/** What stands in the place of a secret that no variable of the environment holds. */
const PLACEHOLDER = "[secret]";

/** A model's answer in JSON is a string in a recording, whose document is a string in a database's answer. */
const DEEPEST = 3;

/** Takes secrets out of whatever is stored, printed or thrown. */
export interface Redactor {
  /** A text. In one that is a JSON document only string values change, as in {@link Redactor.value}. */
  readonly text: (text: string) => string;
  /** A value as JSON holds it: strings change, while keys, numbers and the shape stay. The same object if none does. */
  readonly value: <Value>(value: Value) => Value;
}

/** Options of {@link createRedactor}. */
export interface RedactorOptions {
  /** Default: the environment of the process. */
  readonly env?: Environment;
  /** Ids, names and kinds of the document: a value that is part of one of them is no secret, as they are shown anyway. */
  readonly shown?: Iterable<string>;
}

/**
 * The one way in which secrets are kept out of databases, recordings, reports, logs and errors.
 *
 * Out go the environment's secrets ({@link knownSecrets}), for which `[NAME]` stands, and passwords of URLs, private keys
 * and tokens with the prefix of a known service, for which `[secret]` stands. What was redacted once stays as it is.
 */
export function createRedactor({ env, shown = [] }: RedactorOptions = {}): Redactor {
  const names = new Set(shown);
  const secrets = knownSecrets(env).filter(({ value }) => ![...names].some((name) => name.includes(value)));
  const placeholders = new Map<string, string>();
  for (const { value, placeholder } of secrets)
    for (const form of formsOf(value)) if (!placeholders.has(form)) placeholders.set(form, placeholder);
  const finder = finderOf(placeholders);
  const plain = (text: string): string => {
    const known = finder ? text.replaceAll(finder, (found) => placeholders.get(found) ?? found) : text;
    return withoutPatterns(known);
  };
  const text = (source: string): string => {
    const redacted = plain(source);
    return redacted !== source && isDocument(source) ? inDocument(source, text) : redacted;
  };
  return { text, value: (value) => walk(value, text) };
}

/** A text without secrets; see {@link createRedactor}. */
export function redact(text: string): string {
  return createRedactor().text(text);
}

/** One expression for all values, so that what is put in is not looked at again; the longest come first. */
function finderOf(placeholders: ReadonlyMap<string, string>): RegExp | undefined {
  if (placeholders.size === 0) return undefined;
  const forms = [...placeholders.keys()].toSorted((a, b) => b.length - a.length);
  const done = new Set(placeholders.values());
  return new RegExp([...done, ...forms].map(escaped).join("|"), "g");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function withoutPatterns(text: string): string {
  let clean = "";
  let from = 0;
  for (const { start, end } of disjoint(text, [...passwordSpans(text), ...tokenSpans(text)])) {
    if (/^\[[\w.-]+\]$/.test(text.slice(start, end))) continue; // taken out already
    clean += text.slice(from, start) + PLACEHOLDER;
    from = end;
  }
  return clean + text.slice(from);
}

/** A value as it stands in a text, in a URL, in JSON, and in JSON that is a string of JSON. */
function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set([value, inUrl(value)]);
  let form = value;
  for (let depth = 1; depth <= DEEPEST; depth++) {
    form = JSON.stringify(form).slice(1, -1);
    forms.add(form);
  }
  return forms;
}

function inUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half a character
  }
}

/** Whether a text is the JSON of an object or a list. */
function isDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // only begins like one
  }
}

const STRING_OR_KEY = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** JSON in which string values are changed and all else stays to the letter: keys, numbers, spaces. */
function inDocument(json: string, clean: (text: string) => string): string {
  return json.replaceAll(STRING_OR_KEY, (literal, colon: string | undefined) => {
    if (colon !== undefined) return literal;
    const value = String(JSON.parse(literal));
    const redacted = clean(value);
    return redacted === value ? literal : JSON.stringify(redacted);
  });
}

/** More than any document has, and less than the call stack holds. */
const MOST_LEVELS = 1_000;

function walk<Value>(value: Value, clean: (text: string) => string): Value {
  const around = new Set<object>();
  const visit = (item: unknown): unknown => {
    if (typeof item === "string") return clean(item);
    if (typeof item !== "object" || item === null || around.has(item)) return item;
    if (around.size > MOST_LEVELS) return PLACEHOLDER;
    if (isConverted(item)) {
      const json = item.toJSON();
      const redacted = visit(json);
      return redacted === json ? item : redacted;
    }
    around.add(item);
    const copy = Array.isArray(item) ? list(item) : record(item);
    around.delete(item);
    return copy;
  };
  const list = (items: readonly unknown[]): unknown => {
    const copies = items.map(visit);
    return copies.some((copy, index) => copy !== items[index]) ? copies : items;
  };
  const record = (source: object): unknown => {
    const entries = Object.entries(source);
    const copies = entries.map(([key, item]) => [key, visit(item)] as const);
    return copies.some(([, copy], index) => copy !== entries[index]?.[1]) ? Object.fromEntries(copies) : source;
  };
  return visit(value) as Value; // texts take the place of texts, everything else stays
}

/** `Date`, `URL` and other objects that JSON asks for what they are. */
function isConverted(item: object): item is { toJSON(): unknown } {
  return "toJSON" in item && typeof item.toJSON === "function";
}
