import type { Span } from "./span.ts";

/**
 * Prefixes of keys, from the documentation of the services. A test compares the table with secretlint's rules.
 *
 * Each pattern takes linear time: nothing is required after an unlimited part, or no attempt starts inside one.
 */
const TOKENS: readonly (readonly [service: string, pattern: string])[] = [
  // https://platform.openai.com/docs/api-reference/authentication, https://docs.anthropic.com/en/api/overview
  ["OpenAI, Anthropic and others", "sk-[A-Za-z0-9_-]{16,}"],
  // https://docs.stripe.com/keys, https://cal.com/docs/api-reference, https://docs.retellai.com/accounts/manage-api-keys
  ["Stripe, Cal.com, ElevenLabs and others", "(?:sk|pk|rk|cal|whsec|key)_(?:live_|test_)?[A-Za-z0-9]{16,}"],
  ["Groq, xAI, Perplexity, Replicate", "(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{30,}"], // https://console.groq.com/keys
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
