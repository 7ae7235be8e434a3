import type { Span } from "./span.ts";
import { isLoosely, isRandom, nameWords, UUID } from "./words.ts";

/** URLs of any scheme: `https:`, `postgres:`, `mongodb+srv:`, `redis:`, … */
const URL_TEXT = /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s"'<>`]+/gi;
const SIP_PASSWORD = /\b(sips?:[^\s"'<>/?#@:;]*:)([^\s"'<>@]{1,200})@/gi;
/** Passwords in connection strings: `Server=db;User Id=app;Password=…;`, and Azure's storage and queue keys. */
const CONNECTION_PASSWORD = /;\s?((?:Password|Pwd|AccountKey|SharedAccessKey)=)([^;\s"'&]{4,})/gi;

/** A secret part of a URL, with offsets from its start. */
interface UrlSpan {
  readonly start: number;
  readonly end: number;
  readonly about: string;
}

/** Finds passwords and secret parameters in URLs, and secret URLs of services. */
export function passwordSpans(text: string): Span[] {
  const find = [userSpans, parameterSpans, serviceSpans];
  return [...phoneSpans(text), ...connectionSpans(text), ...inUrls(text, "url", find)];
}

/**
 * Also finds path segments that look like tokens. For URLs of tools only, because in a conversation they may be ids.
 */
export function urlSpans(text: string, name = "url"): Span[] {
  const find = [userSpans, parameterSpans, segmentSpans];
  return [...phoneSpans(text), ...connectionSpans(text), ...inUrls(text, name, find)];
}

function inUrls(text: string, name: string, find: readonly ((url: string) => UrlSpan[])[]): Span[] {
  if (!text.includes("://")) return [];
  return [...text.matchAll(URL_TEXT)].flatMap(({ index, 0: url }) =>
    find
      .flatMap((each) => each(url))
      .map(({ start, end, about }) => ({
        start: start + index,
        end: end + index,
        kind: "url" as const,
        about: `${name}_${about}`,
      })),
  );
}

function phoneSpans(text: string): Span[] {
  return [...text.matchAll(SIP_PASSWORD)].map(({ index, 1: before = "", 2: password = "" }) => {
    const start = index + before.length;
    return { start, end: start + password.length, kind: "url", about: "sip_password" };
  });
}

function connectionSpans(text: string): Span[] {
  return [...text.matchAll(CONNECTION_PASSWORD)].map(({ index, 0: whole, 2: password = "" }) => {
    const end = index + whole.length;
    return { start: end - password.length, end, kind: "url", about: "connection_password" };
  });
}

/** Finds the user in `https://user:password@host` and `https://token@host`. */
function userSpans(url: string): UrlSpan[] {
  const [whole, before = "", password = ""] = /^([\w+.-]+:\/\/(?:[^/?#@:]*:)?)([^/?#]+)@/.exec(url) ?? [];
  if (whole === undefined || (before.endsWith("/") && !TOKEN_USER.test(password))) return [];
  return [{ start: before.length, end: before.length + password.length, about: "password" }];
}

/** A user name that is a token: long, without dots, with a digit or both cases. */
const TOKEN_USER = /^(?:(?=\D*\d)[\w%~+-]{8,}|(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w%~+-]{16,})$/;

function parameterSpans(url: string): UrlSpan[] {
  return [...url.matchAll(/[?&#;]([^=&#;?]{1,80})=([^&#;]+)/g)].flatMap(
    ({ index, 0: whole, 1: name = "", 2: value = "" }) => {
      const words = nameWords(name);
      const named = isLoosely(words.filter((word) => word !== "key" || value.length >= 6));
      // the key of Azure functions is called "code"
      if (!named && !(words.includes("code") && value.length >= 16) && !isRandom(value)) return [];
      return [{ start: index + whole.length - value.length, end: index + whole.length, about: name }];
    },
  );
}

/** Services with secret URLs, and the secret part. */
const SECRET_PATHS =
  /^https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/|hooks\.zapier\.com\/hooks\/catch\/\d+\/|hook\.(?:[\w-]+\.)?(?:make|integromat)\.com\/|api\.telegram\.org\/bot|[\w-]+\.webhook\.office\.com\/|outlook\.office\.com\/webhook\/|maker\.ifttt\.com\/trigger\/[^/]+\/(?:json\/)?with\/key\/|webhook\.site\/)([^?#\s]+)/;

function serviceSpans(url: string): UrlSpan[] {
  const [whole, token] = SECRET_PATHS.exec(url) ?? [];
  if (whole === undefined || token === undefined) return [];
  return [{ start: whole.length - token.length, end: whole.length, about: "token" }];
}

function segmentSpans(url: string): UrlSpan[] {
  if (!WEB.test(url)) return [];
  const known = serviceSpans(url);
  if (known.length > 0) return known;
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

/** Schemes whose paths may hold tokens; paths of other schemes are databases, buckets or numbers. */
const WEB = /^(?:https?|wss?|sips?):/i;
/** Mixed letters and digits, as in ids: at least three of each. */
const MIXED = /^(?=(?:\D*\d){3})(?=(?:[^a-z]*[a-z]){3})[a-z0-9]{12,}$/i;
/** A path segment that announces a token in the next one: `/token/a1b2c3d4`. */
const ANNOUNCES = /^(?:api[-_]?key|key|secret|token)$/i;
const ANNOUNCED = /^(?:(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w-]{8,}|(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w-]{16,})$/;
/** A token with a prefix: `token-a1b2c3`. */
const MARKED = /^(?:key|secret|token)[-_](?=\D*\d)[\w-]{6,}$/i;
