const SECRET_WORDS = new Set([
  "apikey",
  "authorization",
  "bearer",
  "cookie",
  "credentials",
  "passphrase",
  "passwd",
  "password",
  "pwd",
  "secret",
  "token",
]);
/** Compound words, as in `authtoken` and `X-AuthKey`; not `tokens`, which is usually a count. */
const COMPOUND = /(?:token|secret|password|(?:access|api|auth|master|private|secret)key)$/;
/** Words that make a following `key` secret; `public`, `primary` and `sort` do not. */
const KEY_WORDS = new Set(
  "access account admin api app auth client encryption function functions license master private secret server service session signing subscription webhook write".split(
    " ",
  ),
);
/** Words that suffice in the names of headers and query parameters. */
const LOOSE_WORDS = new Set([...SECRET_WORDS, "auth", "key", "sig", "signature", "hash", "credential"]);

/** Whether the words of a key indicate a secret value. */
export function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return SECRET_WORDS.has(last) || COMPOUND.test(last) || (last === "key" && KEY_WORDS.has(words.at(-2) ?? ""));
}

/** Whether the name of a header or a query parameter indicates a secret value. */
export function isLoosely(words: readonly string[]): boolean {
  return words.some((word) => LOOSE_WORDS.has(word) || COMPOUND.test(word));
}

/** Splits a name into words; `cal_api_key`, `calApiKey` and `X-Cal-API-Key` give the same. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

export const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Whether a text looks random: long, with capitals, small letters and digits mixed. */
export function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return /\d/.test(text) && /[a-f]/i.test(text);
  if (!/^[A-Za-z0-9_-]{16,}$/.test(text) || UUID.test(text)) return false;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d.*\d/.test(text)) return false;
  // random texts change the kind of character in two of three places; words, even camelCase with years, less often
  const changes = [...text].filter(
    (character, index) => index > 0 && kindOf(character) !== kindOf(text[index - 1] ?? ""),
  );
  return changes.length >= text.length * 0.42;
}

function kindOf(character: string): string {
  if (/\d/.test(character)) return "digit";
  return /[a-z]/.test(character) ? "small" : "capital";
}

const REFERENCE = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{%[^{}]*%\}/g;

/** Whether a text only refers to a variable and is therefore not a secret. */
export function isReference(text: string): boolean {
  return !/[A-Za-z0-9]/.test(text.replace(REFERENCE, ""));
}
