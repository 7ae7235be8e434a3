import { env as processEnvironment } from "node:process";
import { passwordSpans } from "./urls.ts";
import { isLoosely, isRandom, nameWords } from "./words.ts";

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
export function knownSecrets(env: Environment = processEnvironment): readonly KnownSecret[] {
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
