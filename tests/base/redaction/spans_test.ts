import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assignedSpans,
  createRedactor,
  disjoint,
  isLoosely,
  isRandom,
  isSecretName,
  nameWords,
  type Span,
  tokenSpans,
  urlSpans,
} from "../../../src/base/redaction/mod.ts";

/** Looks random: capitals, small letters and digits mixed. */
const RANDOM = "aB3dE6gH9jK2mN5p";

const { text: redact } = createRedactor({ env: {} });
const found = (text: string, spans: readonly Span[]) => spans.map(({ start, end }) => text.slice(start, end));

test("parameters of a URL are secret by their name, by a long code, or by a random value", () => {
  const cases: readonly (readonly [url: string, redacted: string])[] = [
    ["https://a.test/x?token=1a2b&page=2", "https://a.test/x?token=[secret]&page=2"],
    ["https://a.test/x?page=2&api_key=1a2b3c", "https://a.test/x?page=2&api_key=[secret]"],
    ["https://a.test/x#signature=abc", "https://a.test/x#signature=[secret]"],
    ["https://a.test/x?key=123456", "https://a.test/x?key=[secret]"],
    ["https://a.test/x?key=12345", "https://a.test/x?key=12345"],
    ["https://a.test/x?code=0123456789abcdef", "https://a.test/x?code=[secret]"],
    ["https://a.test/x?code=0123456789abcde", "https://a.test/x?code=0123456789abcde"],
    ["https://a.test/x?page=0123456789abcdef", "https://a.test/x?page=0123456789abcdef"],
    [`https://a.test/x?id=${RANDOM}`, "https://a.test/x?id=[secret]"],
    ["https://a.test/x?monkey=banana", "https://a.test/x?monkey=banana"],
    ["see https://a.test/x?token=1a2b, then wait", "see https://a.test/x?token=[secret] then wait"],
  ];
  for (const [url, redacted] of cases) assert.equal(redact(url), redacted);
});

test("the user of a URL is secret if it has a password or looks like a token", () => {
  const cases: readonly (readonly [url: string, redacted: string])[] = [
    ["https://me:pw@a.test/", "https://me:[secret]@a.test/"],
    ["https://a1b2c3d4@a.test/", "https://[secret]@a.test/"],
    ["https://caller@a.test/", "https://caller@a.test/"],
    ["https://jo.smith1@a.test/", "https://jo.smith1@a.test/"],
    ["https://a.test/me:pw@b", "https://a.test/me:pw@b"],
    ["call sip:desk:pw-1@a.test now", "call sip:desk:[secret]@a.test now"],
    ["call sip:desk@a.test now", "call sip:desk@a.test now"],
    ["Server=db;Password=abcd;Id=7", "Server=db;Password=[secret];Id=7"],
    ["x; AccountKey=a1/b2=", "x; AccountKey=[secret]"],
  ];
  for (const [url, redacted] of cases) assert.equal(redact(url), redacted);
});

test("webhooks of services are secret, other paths only in the URL of a tool", () => {
  const hook = `https://hooks.slack.com/services/T01/B02/${RANDOM}`;
  assert.equal(redact(hook), "https://hooks.slack.com/services/[secret]");
  assert.deepEqual(found(hook, urlSpans(hook)), [`T01/B02/${RANDOM}`]);
  const cases: readonly (readonly [path: string, segments: readonly string[]])[] = [
    [`v1/${RANDOM}/x`, [RANDOM]],
    ["token/a1b2c3d4", ["a1b2c3d4"]],
    ["tokens/a1b2c3d4", []],
    ["key/short1", []],
    ["webhook/abc123def456", ["abc123def456"]],
    ["orders/abc123def456", []],
    ["hooks/0f3c9a5b-1d24-4876-9a5b-0f3c9a5b1d24", ["0f3c9a5b-1d24-4876-9a5b-0f3c9a5b1d24"]],
    ["orders/0f3c9a5b-1d24-4876-9a5b-0f3c9a5b1d24", []],
    ["token-a1b2c3/x", ["token-a1b2c3"]],
    ["token-type/x", []],
    ["", []],
  ];
  for (const [path, segments] of cases) {
    for (const scheme of ["https", "wss", "sips"]) {
      const url = `${scheme}://a.test/${path}`;
      assert.deepEqual(found(url, urlSpans(url)), segments, url);
    }
    assert.equal(redact(`https://a.test/${path}`), `https://a.test/${path}`);
    // paths of other schemes are names of databases and buckets
    assert.deepEqual(urlSpans(`postgres://a.test/${path}`), []);
  }
  const [span] = urlSpans(`at https://a.test/token/a1b2c3d4?x=1`, "hook");
  assert.deepEqual(span, { start: 24, end: 32, kind: "url", about: "hook_token" });
});

test("tokens after Bearer are secret if they have a digit or are long", () => {
  const cases: readonly (readonly [text: string, tokens: readonly string[]])[] = [
    ["Authorization: Bearer abc12345", ["abc12345"]],
    ["Bearer abcdefghijklmnopqrst", ["abcdefghijklmnopqrst"]],
    ["Bearer abcdefghijklmnopqrs", []],
    ["bearer of bad news", []],
  ];
  for (const [text, tokens] of cases) assert.deepEqual(found(text, tokenSpans(text)), tokens, text);
});

test("assignments in code are secret by the name of the variable, unless they are templates", () => {
  const code = `const apiKey = "a1b2c3d4"; const page = "a1b2c3d4";`;
  const spans = assignedSpans(code);
  assert.deepEqual(found(code, spans), ["a1b2c3d4"]);
  assert.deepEqual(
    spans.map(({ kind, about }) => [kind, about]),
    [["token", "apiKey"]],
  );
  assert.deepEqual(assignedSpans('const apiKey = "{{api_key}}";'), []);
});

test("of overlapping secrets the first in the list counts; references to variables are none", () => {
  const text = "0123456789 {{token}}";
  const at = (start: number, end: number): Span => ({ start, end, kind: "key", about: "x" });
  assert.deepEqual(disjoint(text, [at(5, 8), at(0, 3), at(2, 4), at(7, 9), at(3, 5)]), [at(0, 3), at(3, 5), at(5, 8)]);
  assert.deepEqual(disjoint(text, [at(11, 20)]), []);
  assert.deepEqual(disjoint(text, [at(8, 20)]), [at(8, 20)], "it is more than a reference");
});

test("names of keys are secret by their last word, names of headers and parameters by any word", () => {
  const cases: readonly (readonly [name: string, secret: boolean, loosely: boolean])[] = [
    ["password", true, true],
    ["dbPassword", true, true],
    ["password_hint", false, true],
    ["X-Cal-API-Key", true, true],
    ["calApiKey", true, true],
    ["primary_key", false, true],
    ["key", false, true],
    ["authtoken", true, true],
    ["tokens", false, false],
    ["X-Signature", false, true],
    ["page", false, false],
    ["", false, false],
  ];
  for (const [name, secret, loosely] of cases)
    assert.deepEqual([isSecretName(nameWords(name)), isLoosely(nameWords(name))], [secret, loosely], name);
  assert.deepEqual(nameWords("X-Cal-APIKey_2"), ["x", "cal", "api", "key", "2"]);
});

test("a text looks random if it mixes capitals, small letters and digits, or is a long hexadecimal number", () => {
  for (const text of [RANDOM, "0f3c9a5be1d248760f3c9a5be1d24876", "Zx9Kq2Lm7Pw4Rt6Y"]) assert.ok(isRandom(text), text);
  for (const text of [
    ...["short1A", "aB3dE6gH9jK2mN5", "allsmallletters1234", "ALLCAPITALS12345678", "customerNumber2026"],
    ...["0f3c9a5b-1d24-4876-9a5b-0f3c9a5b1d24", "00000000000000000000000000000000", "abcdefabcdefabcdefabcdefabcdefab"],
    ...["NoDigitsInHereAtAll", `${RANDOM} with words`],
  ])
    assert.ok(!isRandom(text), text);
});
