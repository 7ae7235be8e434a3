import { env as processEnvironment } from "node:process";
import { passwordSpans } from "./urls.ts";
import { isLoosely, isRandom, wordsOf } from "./words.ts";

/** The variables of a process, or of a deployment. */
export type Environment = { readonly [name: string]: string | undefined };

/** A secret value and its placeholder. */
export interface KnownSecret {
  readonly value: string;
  /** `[NAME]` */
  readonly placeholder: string;
}

/** Variables whose values are secrets: `OPENAI_API_KEY`, `CRM_TOKEN`, `DB_PASSWORD`, `API_KEY_2`. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_?\d+)?$/i;

/** Shortest secret; shorter values occur in ordinary words. */
const SHORTEST = 8;
/** Shortest secret that is a word, a phrase or a number; shorter ones may be said in a call. */
const SHORTEST_PLAIN = 16;
/** Fewest distinct characters of a secret. */
const FEWEST_CHARACTERS = 4;
/** Letters of one case, or digits, with the marks between words and between the parts of numbers and dates. */
const PLAIN = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}\s_'-]*|[\p{Lu}\p{M}\s_'-]*|[+\d\s().,:/-]*)$/u;

/**
 * The secrets in an environment, the longest first: values of variables that are named like a key, a token or a
 * password, and passwords in the URLs that variables hold.
 */
export function knownSecrets(env: Environment = processEnvironment): readonly KnownSecret[] {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) => {
    // a name may hold any character but "="; the placeholder must not break a document
    const placeholder = `[${name.replaceAll(/[^\w.-]/g, "_")}]`;
    return valuesOf(name, value).map((secret) => ({ value: secret, placeholder }));
  });
  return secrets.toSorted((a, b) => b.value.length - a.value.length);
}

function valuesOf(name: string, value: string): readonly string[] {
  const values = SECRET_NAME.test(name) ? [value, value.trim(), ...secretsInJson(value)] : [];
  if (value.includes("://"))
    for (const { start, end } of passwordSpans(value)) values.push(...forms(value.slice(start, end)));
  return [...new Set(values)].filter(isTelling);
}

/** Secrets inside JSON: the credentials of a service are an object, of which a tool may return parts. */
function secretsInJson(value: string): readonly string[] {
  if (!/^\s*[[{]/.test(value)) return [];
  const found: string[] = [];
  try {
    JSON.parse(value, (key, item: unknown) => {
      if (typeof item === "string" && (isLoosely(wordsOf(key)) || isRandom(item))) found.push(item);
      return item;
    });
  } catch {
    return []; // no JSON after all
  }
  return found;
}

/** A password as it is encoded in a URL, and decoded. */
function forms(password: string): readonly string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // a literal percent sign
  }
}

/**
 * Whether a value is distinctive enough to be redacted: at least 8 characters, and 16 if it is only a word, a phrase, a
 * number or a date. Repeated spaces or dashes are no secret.
 */
function isTelling(value: string): boolean {
  const text = value.trim();
  return text.length >= (PLAIN.test(text) ? SHORTEST_PLAIN : SHORTEST) && new Set(text).size >= FEWEST_CHARACTERS;
}
