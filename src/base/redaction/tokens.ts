import { isLoosely, isRandom, isReference, nameWords, UUID } from "./words.ts";

/**
 * Prefixes of keys, from the documentation of the services. A test compares the table with secretlint's rules.
 *
 * Each pattern takes linear time: nothing is required after an unlimited part, or no attempt starts inside one.
 */
const TOKENS: readonly (readonly [service: string, pattern: string])[] = [
  // https://platform.openai.com/docs/api-reference/authentication, https://docs.anthropic.com/en/api/overview
  ["OpenAI, Anthropic and others", "sk-[A-Za-z0-9_-]{16,}"],
  // https://docs.stripe.com/keys, https://cal.com/docs/api-reference, https://docs.retellai.com/accounts/manage-api-keys
  ["Stripe, Cal.com and others", "(?:sk|pk|rk|cal|whsec|key)_(?:live_|test_)?[A-Za-z0-9]{16,}"],
  ["Groq, xAI, Perplexity, Replicate", "(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{30,}"], // https://console.groq.com/keys
  ["Callweave's studio", "cws_[\\w-]{43}"],
  ["Hugging Face", "hf_[A-Za-z0-9]{20,}"], // https://huggingface.co/docs/hub/security-tokens
  // https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/
  ["GitHub, apps", "ghs_\\d{1,20}_[\\w-]{1,1000}\\.[\\w-]{1,10000}\\.[\\w-]{1,1000}"],
  ["GitHub", "(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"],
  ["GitLab", "gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-[\\w.-]{16,}"], // https://docs.gitlab.com/security/tokens/
  ["npm", "npm_[A-Za-z0-9_]{30,}"], // https://github.blog/2021-09-23-announcing-npms-new-access-token-format/
  ["PyPI", "pypi-AgE[\\w-]{50,}"], // https://pypi.org/help/#apitoken
  ["RubyGems", "rubygems_[0-9a-f]{40,}"], // https://guides.rubygems.org/api-key-scopes/
  ["Docker", "dckr_[po]at_[\\w-]{20,}"], // https://docs.docker.com/security/access-tokens/
  ["DigitalOcean", "do[opr]_v1_[0-9a-f]{40,}"], // https://docs.digitalocean.com/reference/api/create-personal-access-token/
  ["Slack", "xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{10,}"], // https://api.slack.com/authentication/token-types
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  ["AWS", "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[0-9A-Z]{16}(?![0-9A-Za-z])"],
  ["Google", "AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}"], // https://cloud.google.com/docs/authentication/api-keys
  ["Airtable", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,}"], // https://airtable.com/developers/web/guides/personal-access-tokens
  ["Shopify", "shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,}"], // https://shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing
  ["Linear, Notion, Figma", "(?:lin_api_|ntn_|figd_)[\\w-]{30,}"], // https://developers.notion.com/docs/authorization
  ["Grafana", "gl(?:c|sa)_[A-Za-z0-9+/_]{30,}={0,2}"], // https://grafana.com/docs/grafana/latest/administration/service-accounts/
  ["HashiCorp Vault", "hv[sbr]\\.[\\w-]{24,}"], // https://developer.hashicorp.com/vault/docs/concepts/tokens
  ["Databricks", "dapi[A-Fa-f0-9]{32}(?:-\\d)?"], // https://docs.databricks.com/dev-tools/auth/pat.html
  ["Cloudflare", "(?:cfk|cfut|cfat)_[A-Za-z0-9]{40,}"], // https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/
  ["Tailscale", "tskey-[a-z]{2,20}-[\\w-]{16,}"], // https://tailscale.com/kb/1277/key-prefixes
  ["Vercel, Netlify, Render", "(?:vc[pairk]|nfp|rnd)_[A-Za-z0-9]{20,}"], // https://vercel.com/docs/rest-api
  ["1Password", "ops_ey[A-Za-z0-9+/=]{60,}"], // https://developer.1password.com/docs/service-accounts/security/
  ["Supabase", "(?:sbp|sb_secret)_[\\w-]{20,}"], // https://supabase.com/docs/guides/api/api-keys
  ["PlanetScale", "pscale_(?:tkn|pw|oauth)_[\\w.-]{30,}"], // https://planetscale.com/docs/concepts/password-roles
  ["Doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,}"], // https://docs.doppler.com/reference/auth-token-formats
  ["Postman, New Relic", "(?:PMAK-|NRAK-)[A-Za-z0-9-]{20,}"], // https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/
  ["Sentry", "sntry[su]_[\\w+/=-]{40,}"], // https://docs.sentry.io/api/auth/
  ["Atlassian", "ATATT3[\\w=-]{40,}"], // https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/
  ["Mailgun, Twilio", "(?:key-|SK)[0-9a-f]{32}(?![0-9A-Za-z])"], // https://www.twilio.com/docs/iam/api-keys
  ["Telegram", "\\d{8,10}:AA[\\w-]{33,}"], // https://core.telegram.org/bots/api#authorizing-your-bot
  ["age", "AGE-SECRET-KEY-1[0-9A-Z]{40,}"], // https://github.com/FiloSottile/age
];
/** Letters before a dot. An attempt starts only at the start of a run, otherwise the time would be quadratic. */
const DOTTED =
  /(?<![\w-])(?:eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|SG\.[\w-]{16,}\.[\w-]{16,}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,})/g;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{1,16000}?-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const TOKEN = new RegExp(`(?<![A-Za-z0-9])(?:${TOKENS.map(([, pattern]) => pattern).join("|")})`, "g");
const BEARER = /\b(?:Bearer|Basic)\s{1,8}([A-Za-z0-9._~+/-]{8,}={0,2})/g;
/** An AWS secret key. Only the name before it identifies the 40 characters. */
const AWS_SECRET = /secret_?access_?key["']?\s{0,4}(?::|=>|=)\s{0,4}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi;
const ASSIGNED =
  /\b[\w-]{0,40}?((?:api|access|auth|private|secret|signing|master|functions?|subscription)[_-]?key|secret|password|passwd|token|authorization)["'`]?\s{0,4}[:=]\s{0,4}["'`]([^"'`\s]{8,})["'`]/gi;

/** Finds service keys anywhere: in prompts, code and tool results. */
export function tokenSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of [PRIVATE_KEY, TOKEN, DOTTED])
    for (const { index, 0: token } of text.matchAll(pattern))
      spans.push({ start: index, end: index + token.length, kind: "token", about: "token" });
  for (const { index, 0: whole, 1: token = "" } of text.matchAll(AWS_SECRET)) {
    const end = index + whole.length;
    spans.push({ start: end - token.length, end, kind: "token", about: "secret_access_key" });
  }
  for (const { index, 0: whole, 1: token = "" } of text.matchAll(BEARER)) {
    const end = index + whole.length;
    if (/\d/.test(token) || token.length >= 20)
      spans.push({ start: end - token.length, end, kind: "token", about: "token" });
  }
  return spans;
}

/** Finds assignments in code, such as `apiKey = "…"`. */
export function assignedSpans(text: string): Span[] {
  return [...text.matchAll(ASSIGNED)].flatMap(({ index, 0: whole, 1: about = "", 2: value = "" }): Span[] => {
    const end = index + whole.length - 1;
    return /[({[]/.test(value) ? [] : [{ start: end - value.length, end, kind: "token", about }];
  });
}

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

/** How a secret was recognized. */
export type SecretKind = "key" | "header" | "url" | "token";

/** A secret part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** Base of the variable's name: `cal_api_key`, `Authorization`, `url_token`. */
  readonly about: string;
}

/** Sorts spans and removes overlaps; the first span in the list wins. */
export function disjoint(text: string, found: readonly Span[]): readonly Span[] {
  if (found.length === 0) return [];
  // marks characters, because comparing every pair of spans takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const kept = found.filter(({ start, end }) => {
    if (isReference(text.slice(start, end)) || covered.subarray(start, end).includes(1)) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}
