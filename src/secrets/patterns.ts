import type { Place } from "./strings.ts";

/** What gave a secret away. */
export type SecretKind = "key" | "header" | "url" | "token";

/** The part of a text that is secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** What it is, for the name of its variable: `cal_api_key`, `Authorization`, `url_token`. */
  readonly about: string;
}

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

/** Prefixes by which services make their keys known, wherever they stand, prompts and code included. */
const TOKENS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk|cal|whsec|key)_(?:live_|test_)?[A-Za-z0-9]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{40,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}|\bshp(?:at|ss)_[0-9a-f]{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]{1,8000}-----END [A-Z ]*PRIVATE KEY-----/g,
];
const BEARER = /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/-]{8,}={0,2})/g;
const ASSIGNED =
  /\b[\w-]{0,40}?((?:api|access|auth|private|secret|signing|master|functions?|subscription)[_-]?key|secret|password|passwd|token|authorization)["'`]?\s{0,4}[:=]\s{0,4}["'`]([^"'`\s]{8,})["'`]/gi;
const SCHEME = /^(\s*(?:Bearer|Basic|Token|ApiKey|Digest|Key)\s+)(\S.*)$/is;
const URL_TEXT = /\b(?:https?|wss?|sips?):\/\/[^\s"'<>`]+/g;
const SIP_PASSWORD = /\b(sips?:[^\s"'<>/?#@:;]*:)([^\s"'<>@]{1,200})@/gi;
const REFERENCE = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{%[^{}]*%\}/g;
const TYPE_NAMES = new Set(["string", "number", "integer", "boolean", "object", "array", "null", "true", "false"]);

/** Where a text holds secrets: without overlaps, in order. */
export function secretSpans(place: Place): readonly Span[] {
  const found = [...keyedSpans(place), ...urlSpans(place), ...tokenSpans(place.text)];
  if (found.length === 0) return [];
  // characters that an earlier span has: to compare each span with all others takes seconds in a long text
  const covered = new Uint8Array(place.text.length);
  const kept = found.filter(({ start, end }) => {
    if (isReference(place.text.slice(start, end)) || covered.subarray(start, end).includes(1)) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}

/** Whether a text only refers to a variable, so that it gives nothing away. */
function isReference(text: string): boolean {
  return !/[A-Za-z0-9]/.test(text.replace(REFERENCE, ""));
}

function keyedSpans({ text, owner, header, keyed }: Place): Span[] {
  const words = wordsOf(owner);
  // a header of any name lets somebody in that nobody would have made up
  const known = header ? isLoosely(words) || isRandom(text.trim()) : keyed && isSecretName(words);
  if (!known || TYPE_NAMES.has(text)) return [];
  const [, scheme = "", rest = text] = SCHEME.exec(text) ?? [];
  // prose under a key such as "token" explains it; headers hold no prose
  if (!header && /\s/.test(rest)) return [];
  if (/^https?:\/\//.test(rest)) return [];
  return [{ start: scheme.length, end: text.length, kind: header ? "header" : "key", about: owner }];
}

/** Whether a key's words say that its value is secret. */
function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return SECRET_WORDS.has(last) || COMPOUND.test(last) || (last === "key" && KEY_WORDS.has(words.at(-2) ?? ""));
}

/** Whether a header or parameter of this name is one that lets somebody in. */
function isLoosely(words: readonly string[]): boolean {
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

function tokenSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of TOKENS)
    for (const { index, 0: token } of text.matchAll(pattern))
      spans.push({ start: index, end: index + token.length, kind: "token", about: "token" });
  for (const { index, 0: whole, 1: token = "" } of text.matchAll(BEARER))
    if (/\d/.test(token) || token.length >= 20)
      spans.push({
        start: index + whole.length - token.length,
        end: index + whole.length,
        kind: "token",
        about: "token",
      });
  for (const { index, 0: whole, 1: about = "", 2: value = "" } of text.matchAll(ASSIGNED)) {
    const end = index + whole.length - 1;
    if (!/[({[]/.test(value)) spans.push({ start: end - value.length, end, kind: "token", about });
  }
  return spans;
}

function urlSpans({ text, owner }: Place): Span[] {
  const name = /ur[il]$/i.test(owner) ? owner : "url";
  const phones = [...text.matchAll(SIP_PASSWORD)].map(({ index, 1: before = "", 2: password = "" }) => {
    const start = index + before.length;
    return { start, end: start + password.length, kind: "url" as const, about: "sip_password" };
  });
  const urls = [...text.matchAll(URL_TEXT)].flatMap(({ index, 0: url }) =>
    [...userSpans(url), ...parameterSpans(url), ...segmentSpans(url)].map((span) => ({
      ...span,
      start: span.start + index,
      end: span.end + index,
      kind: "url" as const,
      about: `${name}_${span.about}`,
    })),
  );
  return [...phones, ...urls];
}

type UrlSpan = Omit<Span, "kind">;

/** `https://user:password@host`, and `https://token@host` */
function userSpans(url: string): UrlSpan[] {
  const [whole, before = "", password = ""] = /^(\w+:\/\/(?:[^/?#@:]*:)?)([^/?#]+)@/.exec(url) ?? [];
  if (whole === undefined || (before.endsWith("/") && !TOKEN_USER.test(password))) return [];
  return [{ start: before.length, end: before.length + password.length, about: "password" }];
}

/** A user without a password who is no person: long, without a dot, with a digit or both small letters and capitals. */
const TOKEN_USER = /^(?:(?=\D*\d)[\w%~+-]{8,}|(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w%~+-]{16,})$/;

function parameterSpans(url: string): UrlSpan[] {
  return [...url.matchAll(/[?&#;]([^=&#;?]{1,80})=([^&#;]+)/g)].flatMap(
    ({ index, 0: whole, 1: name = "", 2: value = "" }) => {
      const words = wordsOf(name);
      const named = isLoosely(words.filter((word) => word !== "key" || value.length >= 6));
      // Azure's functions call theirs "code"
      if (!named && !(words.includes("code") && value.length >= 16) && !isRandom(value)) return [];
      return [{ start: index + whole.length - value.length, end: index + whole.length, about: name }];
    },
  );
}

/** Services whose URLs are secrets themselves, with the part that is. */
const SECRET_PATHS =
  /^https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/|hooks\.zapier\.com\/hooks\/catch\/\d+\/|hook\.(?:[\w-]+\.)?(?:make|integromat)\.com\/|api\.telegram\.org\/bot|[\w-]+\.webhook\.office\.com\/|outlook\.office\.com\/webhook\/|maker\.ifttt\.com\/trigger\/[^/]+\/(?:json\/)?with\/key\/|webhook\.site\/)([^?#\s]+)/;

function segmentSpans(url: string): UrlSpan[] {
  const [whole, token] = SECRET_PATHS.exec(url) ?? [];
  if (whole !== undefined && token !== undefined)
    return [{ start: whole.length - token.length, end: whole.length, about: "token" }];
  const path = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url);
  const hook = /\/(?:web)?hooks?\b/i.test(path?.[1] ?? "");
  const offset = (path?.[0].length ?? 0) - (path?.[1]?.length ?? 0);
  const segments = [...(path?.[1] ?? "").matchAll(/[^/]+/g)];
  return segments.flatMap(({ index, 0: segment }, at) => {
    const announced = ANNOUNCES.test(segments[at - 1]?.[0] ?? "") && ANNOUNCED.test(segment);
    const hooked = hook && (UUID.test(segment) || MIXED.test(segment));
    return announced || hooked || isRandom(segment) || MARKED.test(segment)
      ? [{ start: offset + index, end: offset + index + segment.length, about: "token" }]
      : [];
  });
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Letters and digits without a break, as ids are: at least three of each. */
const MIXED = /^(?=(?:\D*\d){3})(?=(?:[^a-z]*[a-z]){3})[a-z0-9]{12,}$/i;
/** `/token/a1b2c3d4`: letters with a digit, or long ones with capitals, among them. */
const ANNOUNCES = /^(?:api[-_]?key|key|secret|token)$/i;
const ANNOUNCED = /^(?:(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w-]{8,}|(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w-]{16,})$/;
/** `token-a1b2c3` */
const MARKED = /^(?:key|secret|token)[-_](?=\D*\d)[\w-]{6,}$/i;

/** Whether nobody would write this by hand: long, and capitals, small letters and digits mixed as only chance does. */
function isRandom(text: string): boolean {
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
