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
/** Words written as one, as in `authtoken` and `X-AuthKey`; not `tokens`, which are counted. */
const COMPOUND = /(?:token|secret|password|(?:access|api|auth|master|private|secret)key)$/;
/** Words that make the word `key` behind them a secret one; a public, a primary or a sort key is none. */
const KEY_WORDS = new Set(
  "access account admin api app auth client encryption function functions license master private secret server service session signing subscription webhook write".split(
    " ",
  ),
);
/** In headers and query parameters these are enough, wherever in the name they stand. */
const LOOSE_WORDS = new Set([...SECRET_WORDS, "auth", "key", "sig", "signature", "hash", "credential"]);

/** Whether a key's words say that its value is secret. */
export function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return SECRET_WORDS.has(last) || COMPOUND.test(last) || (last === "key" && KEY_WORDS.has(words.at(-2) ?? ""));
}

/** Whether a header or a parameter of this name is one that lets somebody in. */
export function isLoosely(words: readonly string[]): boolean {
  return words.some((word) => LOOSE_WORDS.has(word) || COMPOUND.test(word));
}

/** `cal_api_key`, `calApiKey` and `X-Cal-API-Key` are the same words. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

export const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Whether nobody would write this by hand: long, and capitals, small letters and digits mixed as only chance does. */
export function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return /\d/.test(text) && /[a-f]/i.test(text);
  if (!/^[A-Za-z0-9_-]{16,}$/.test(text) || UUID.test(text)) return false;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d.*\d/.test(text)) return false;
  // chance changes the kind of character two times in three; words, even camelCase ones with years, much less often
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

/** Whether a text only refers to a variable, so that it gives nothing away. */
export function isReference(text: string): boolean {
  return !/[A-Za-z0-9]/.test(text.replace(REFERENCE, ""));
}
