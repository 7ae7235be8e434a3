import assert from "node:assert/strict";
import { test } from "node:test";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { createRedactor } from "../../../src/base/redaction/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { extractSecrets } from "../../../src/document/secrets/mod.ts";

const MIXED = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6eF9hJ2kM5nP8";
const mixed = (length: number) => MIXED.repeat(Math.ceil(length / MIXED.length)).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(Math.ceil(length / 16)).slice(0, length);
const letters = (length: number) => "aBcDeFgHjK".repeat(Math.ceil(length / 10)).slice(0, length);

/**
 * Texts that the rules of secretlint report, by rule, with the part that is secret. Version 11 is the last one for Node
 * 20; what the rules of version 13 added is held to these samples alone.
 */
const SAMPLES: { readonly [rule: string]: readonly (string | readonly [text: string, secret: string])[] } = {
  aws: [
    [`AWS_SECRET_ACCESS_KEY=${mixed(40)}`, mixed(40)],
    [`"secretAccessKey": "${mixed(40)}"`, mixed(40)],
  ],
  gcp: [
    [
      JSON.stringify({
        private_key_id: "1",
        private_key: `-----BEGIN PRIVATE KEY-----\n${mixed(64)}\n-----END PRIVATE KEY-----`,
      }),
      mixed(64),
    ],
  ],
  privatekey: [`-----BEGIN RSA PRIVATE KEY-----\nMI${mixed(200)}\n-----END RSA PRIVATE KEY-----`],
  npm: [`npm_${mixed(36)}`],
  slack: [
    `xoxb-123456789012-1234567890123-${mixed(24)}`,
    `xapp-1-A01234567-1234567890123-${hex(40)}`,
    [`https://hooks.slack.com/services/T01234567/B01234567/${mixed(24)}`, mixed(24)],
  ],
  basicauth: [[`https://user:${mixed(12)}@db.acme.io/v1`, mixed(12)]],
  openai: [`sk-proj-${mixed(58)}T3BlbkFJ${mixed(58)}`, `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`],
  anthropic: [`sk-ant-api03-${mixed(93)}AA`],
  groq: [`gsk_${mixed(52)}`],
  huggingface: [`hf_${letters(34)}`],
  linear: [`lin_api_${mixed(40)}`],
  notion: [`ntn_12345678901${mixed(35)}`],
  sendgrid: [`SG.${mixed(22)}.${mixed(43)}`],
  shopify: ["shppa", "shpca", "shpat", "shpss"].map((prefix) => `${prefix}_${hex(32)}`),
  stripe: ["sk_live", "sk_test", "rk_live", "rk_test"].map((prefix) => `${prefix}_${mixed(24)}`),
  github: [
    ...["ghp", "gho", "ghu", "ghs", "ghr"].map((prefix) => `${prefix}_${mixed(36)}`),
    `github_pat_${mixed(22)}_${mixed(59)}`,
  ],
  "github-app": [`ghs_12345_${mixed(40)}.${mixed(60)}.${mixed(40)}`],
  gitlab: [`glpat-${mixed(20)}`],
  grafana: [`glc_${mixed(40)}==`, `glsa_${mixed(32)}_${hex(8)}`],
  "1password": [`ops_${btoa(JSON.stringify({ email: "a@b.io", secretKey: mixed(60), srpX: hex(64), at: "xxx" }))}`],
  "database-connection-string": [
    ["mongodb+srv://app:s3cr3t-77x@cluster.acme.io/db", "s3cr3t-77x"],
    ["mysql://app:s3cr3t-77x@db.acme.io/db", "s3cr3t-77x"],
    ["postgres://app:s3cr3t-77x@db.acme.io/db", "s3cr3t-77x"],
  ],
  "hashicorp-vault": [`hvs.${mixed(95)}`, `hvb.${mixed(140)}`, `hvr.${mixed(95)}`],
  vercel: ["vcp", "vci", "vca", "vcr", "vck"].map((prefix) => `${prefix}_${mixed(24)}`),
  databricks: [`dapi${hex(32)}-2`],
  docker: [`dckr_pat_${mixed(27)}`],
  figma: [`figd_${mixed(43)}`],
  cloudflare: ["cfk", "cfut", "cfat"].map((prefix) => `${prefix}_${mixed(40)}${hex(8)}`),
  tailscale: [`tskey-auth-${mixed(16)}-${mixed(32)}`],
  "filter-comments": [], // tells the linter to look away, which a stranger's document may not
};

interface Rule {
  readonly meta: { readonly id: string };
  readonly create: (context: object, options: object) => { readonly file?: (source: object) => unknown };
}

/** Whether a rule of secretlint reports something in a text. */
async function reports({ create, meta }: Rule, content: string): Promise<boolean> {
  let reported = false;
  const translate = () => ({ message: meta.id, messageId: meta.id });
  const context = {
    ruleId: meta.id,
    sharedOptions: {},
    createTranslator: () => translate,
    report: () => {
      reported = true;
    },
    ignore: () => {},
  };
  await create(context, {}).file?.({ content, filePath: "agent.json", ext: ".json", contentType: "text" });
  return reported;
}

const nameOf = ({ meta }: Rule) => meta.id.replace("@secretlint/secretlint-rule-", "");

test("every rule that secretlint recommends has samples here", () => {
  assert.deepEqual(
    rules.map(nameOf).filter((name) => !(name in SAMPLES)),
    [],
  );
});

for (const [name, samples] of Object.entries(SAMPLES)) {
  if (samples.length === 0) continue;
  const rule = rules.find((each) => nameOf(each) === name);
  test(`values that secretlint's rule "${name}" reports are redacted and extracted from graphs`, async () => {
    const { text } = createRedactor({ env: {} });
    for (const sample of samples) {
      const [whole, secret] = typeof sample === "string" ? [sample, sample] : sample;
      if (rule) assert.ok(await reports(rule, whole), `secretlint knows ${whole}`);
      const inText = whole.startsWith("{") ? [] : [`use ${whole}, please`, `key="${whole}"`, `x=${whole}\nnext`];
      for (const around of [whole, ...inText]) {
        assert.ok(!text(around).includes(secret), text(around));
        const nodes = { a: { state_prompt: around } };
        const { graph } = extractSecrets(parseGraph({ entry_node_id: "a", nodes }));
        assert.ok(!JSON.stringify(graph).includes(JSON.stringify(secret).slice(1, -1)), graph.nodes.a?.state_prompt);
      }
    }
  });
}

for (const [what, token] of [
  ["DigitalOcean", `dop_v1_${hex(64)}`],
  ["PyPI", `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ["Telegram", `123456789:AA${mixed(33)}`],
  ["Redis", "redis://:s3cr3t-77x@cache.acme.io:6379/0"],
  ["SQL Server", "Server=db.acme.io;User Id=app;Password=s3cr3t-77x;"],
] as const)
  test(`keys of ${what}, unknown to secretlint, are redacted too`, () => {
    const { text } = createRedactor({ env: {} });
    assert.match(text(`it is ${token} here`), /^it is \S*.*\[secret\].* here$/);
    assert.ok(!text(token).includes("s3cr3t-77x"));
  });
