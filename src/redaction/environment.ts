import { env as processEnvironment } from "node:process";
import { passwordSpans } from "./urls.ts";
import { isLoosely, isRandom, wordsOf } from "./words.ts";

/** The variables of a process, or of a deployment. */
export type Environment = { readonly [name: string]: string | undefined };

/** A value that is to be seen nowhere, and what stands in its place. */
export interface KnownSecret {
  readonly value: string;
  /** `[NAME]` */
  readonly placeholder: string;
}

/** Variables whose values are secrets: `OPENAI_API_KEY`, `CRM_TOKEN`, `DB_PASSWORD`, `API_KEY_2`. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_?\d+)?$/i;

/** What is shorter is in many words by chance. */
const SHORTEST = 8;
/** Of a plain word, a phrase or a number: anything shorter may be what somebody says. */
const SHORTEST_PLAIN = 16;
/** Different ones that a secret has. */
const FEWEST_CHARACTERS = 4;
/** Letters of one case, or digits, with the marks between words and between the parts of numbers and dates. */
const PLAIN = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}\s_'-]*|[\p{Lu}\p{M}\s_'-]*|[+\d\s().,:/-]*)$/u;

/**
 * The secrets in an environment, the longest first: values of variables that are named like a key, a token or a
 * password, and passwords in the URLs that variables hold.
 */
export function knownSecrets(env: Environment = processEnvironment): readonly KnownSecret[] {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) => {
    // a name may hold anything but "="; what stands in a document must break none
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

/** A service's credentials are an object, of which a tool may give back a part. */
function secretsInJson(value: string): readonly string[] {
  if (!/^\s*[[{]/.test(value)) return [];
  const found: string[] = [];
  try {
    JSON.parse(value, (key, item: unknown) => {
      if (typeof item === "string" && (isLoosely(wordsOf(key)) || isRandom(item))) found.push(item);
      return item;
    });
  } catch {
    return []; // only begins like one
  }
  return found;
}

/** As a URL has it, and as it is written elsewhere. */
function forms(password: string): readonly string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // a percent sign of its own
  }
}

/**
 * Whether a value can be looked for without taking what people say for it: at least 8 characters, and 16 where it is
 * only a word, a phrase, a number or a date. A row of spaces or dashes is no secret, however long.
 */
function isTelling(value: string): boolean {
  const text = value.trim();
  return text.length >= (PLAIN.test(text) ? SHORTEST_PLAIN : SHORTEST) && new Set(text).size >= FEWEST_CHARACTERS;
}
