import { env as processEnvironment } from "node:process";
import { disjoint, passwordSpans, tokenSpans } from "./tokens.ts";
import { isLoosely, isRandom, nameWords } from "./words.ts";

/** Placeholder of a secret that is not in the environment. */
const PLACEHOLDER = "[secret]";

/** Levels of JSON within JSON strings: a model's answer, in a recording, in a database response. */
const DEEPEST = 3;

/** Removes secrets from what is stored, printed or thrown. */
export interface Redactor {
  /** Redacts a text. In JSON text only string values change, as in {@link Redactor.value}. */
  readonly text: (text: string) => string;
  /**
   * Redacts a JSON value: strings change, keys and numbers stay. Returns the same object if nothing changes.
   */
  readonly value: <Value>(value: Value) => Value;
}

/** Options of {@link createRedactor}. */
export interface RedactorOptions {
  /** Default: the environment of the process. */
  readonly env?: Environment;
  /**
   * Ids, names and types of the document. A secret that is part of one of them is not redacted, because they are
   * visible anyway.
   */
  readonly shown?: Iterable<string>;
}

/**
 * Creates the redactor that databases, recordings, reports, logs and errors use.
 *
 * Secrets of the environment ({@link knownSecrets}) become `[NAME]`. Passwords in URLs, private keys and tokens with
 * the prefix of a known service become `[secret]`. Redaction is idempotent.
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

/** Redacts a text; see {@link createRedactor}. */
export function redact(text: string): string {
  return createRedactor().text(text);
}

/** Builds one expression for all values, longest first, so that placeholders are not searched again. */
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
    if (/^\[[\w.-]+\]$/.test(text.slice(start, end))) continue; // already redacted
    clean += text.slice(from, start) + PLACEHOLDER;
    from = end;
  }
  return clean + text.slice(from);
}

/** Returns the encodings of a value: plain, in a URL, in JSON, and in JSON within JSON. */
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
    return value; // a lone surrogate
  }
}

/** Whether a text is the JSON of an object or a list. */
function isDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // not JSON
  }
}

const STRING_OR_KEY = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Redacts the string values of JSON text; keys, numbers and white space stay. */
function inDocument(json: string, clean: (text: string) => string): string {
  return json.replaceAll(STRING_OR_KEY, (literal, colon: string | undefined) => {
    if (colon !== undefined) return literal;
    const value = String(JSON.parse(literal));
    const redacted = clean(value);
    return redacted === value ? literal : JSON.stringify(redacted);
  });
}

/** Maximum nesting that is redacted: deeper than any document, but within the call stack's limit. */
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
  return visit(value) as Value; // only strings are replaced, by strings
}

/** Whether an object has a `toJSON`, such as `Date` and `URL`. */
function isConverted(item: object): item is { toJSON(): unknown } {
  return "toJSON" in item && typeof item.toJSON === "function";
}

/** Environment variables of a process or deployment. */
export type Environment = { readonly [name: string]: string | undefined };

/** A secret value and its placeholder. */
export interface KnownSecret {
  readonly value: string;
  /** `[NAME]` */
  readonly placeholder: string;
}

/** Variables whose values are secrets: `OPENAI_API_KEY`, `CRM_TOKEN`, `DB_PASSWORD`, `API_KEY_2`. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_?\d+)?$/i;

/** Variables with headers for a collector: `Authorization=Basic%20…,x-project=phones`. */
const HEADERS_NAME = /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/;

/** Minimum length of a secret; shorter values occur in ordinary words. */
const SHORTEST = 8;
/** Minimum length of a secret that is a word, phrase or number; shorter ones may occur in conversations. */
const SHORTEST_PLAIN = 16;
/** Minimum number of distinct characters of a secret. */
const FEWEST_CHARACTERS = 4;
/** Letters of one case, or digits, with separators of words, numbers and dates. */
const PLAIN = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}\s_'-]*|[\p{Lu}\p{M}\s_'-]*|[+\d\s().,:/-]*)$/u;

/**
 * Returns the secrets of an environment, longest first: values of variables named like a key, token or password, and
 * passwords in the URLs of variables, and headers for OpenTelemetry.
 */
function knownSecrets(env: Environment = processEnvironment): readonly KnownSecret[] {
  const secrets: KnownSecret[] = [];
  // every error that is made reads the environment, in which few variables hold secrets
  for (const [name, value = ""] of Object.entries(env))
    for (const secret of valuesOf(name, value)) {
      // a name may contain any character but "="; the placeholder must not break a document
      secrets.push({ value: secret, placeholder: `[${name.replaceAll(/[^\w.-]/g, "_")}]` });
    }
  return secrets.sort((a, b) => b.value.length - a.value.length);
}

function valuesOf(name: string, value: string): readonly string[] {
  const [isSecret, hasHeaders, hasUrl] = [SECRET_NAME.test(name), HEADERS_NAME.test(name), value.includes("://")];
  if (!isSecret && !hasHeaders && !hasUrl) return [];
  const values = isSecret ? [value, value.trim(), ...secretsInJson(value)] : [];
  if (hasHeaders) for (const header of value.split(",")) values.push(...headerValues(header));
  if (hasUrl) for (const { start, end } of passwordSpans(value)) values.push(...forms(value.slice(start, end)));
  return [...new Set(values)].filter(isTelling);
}

/** Returns the secrets inside JSON: credentials are often an object, of which a tool may return parts. */
function secretsInJson(value: string): readonly string[] {
  if (!/^\s*[[{]/.test(value)) return [];
  const found: string[] = [];
  try {
    JSON.parse(value, (key, item: unknown) => {
      if (typeof item === "string" && (isLoosely(nameWords(key)) || isRandom(item))) found.push(item);
      return item;
    });
  } catch {
    return []; // not JSON
  }
  return found;
}

/** Returns the value of a header, and its credentials without the scheme. */
function headerValues(header: string): readonly string[] {
  const value = header.slice(header.indexOf("=") + 1).trim();
  return forms(value).flatMap((form) => [form, form.replace(/^\w+\s+/, "")]);
}

/** Returns a password URL-encoded and decoded. */
function forms(password: string): readonly string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // a literal percent sign
  }
}

/**
 * Whether a value is distinctive enough to redact: at least 8 characters, or 16 if it is only a word, phrase, number or
 * date. Repeated spaces or dashes are not secrets.
 */
function isTelling(value: string): boolean {
  const text = value.trim();
  return text.length >= (PLAIN.test(text) ? SHORTEST_PLAIN : SHORTEST) && new Set(text).size >= FEWEST_CHARACTERS;
}
