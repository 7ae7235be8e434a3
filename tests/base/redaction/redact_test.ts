import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { ERROR_CODES, ModelError } from "../../../src/base/errors.ts";
import { createRedactor } from "../../../src/base/redaction/mod.ts";
import { withEnvironment } from "../../environment.ts";
import { fc } from "../../properties.ts";

const KEY = "k7-Ab3xQ9";

test("a redactor changes string values, but no keys, numbers or structure", () => {
  const { value } = createRedactor({ env: { ACCOUNT_TOKEN: "12345678", X_KEY: KEY } });
  const document = { [KEY]: 12345678, list: [KEY, null, true, 1.5], deep: { text: `it is ${KEY}` } };
  assert.deepEqual(value(document), {
    [KEY]: 12345678,
    list: ["[X_KEY]", null, true, 1.5],
    deep: { text: "it is [X_KEY]" },
  });
});

test("a redactor changes only string values of JSON text", () => {
  const { text } = createRedactor({ env: { X_KEY: KEY, LONG_TOKEN: "1234567890123456" } });
  assert.equal(
    text(`{ "${KEY}": 1234567890123456, "big": 12345678901234567890, "key":  "${KEY}" }`),
    `{ "${KEY}": 1234567890123456, "big": 12345678901234567890, "key":  "[X_KEY]" }`,
  );
  assert.equal(text(`{"answer": "${KEY}`), '{"answer": "[X_KEY]'); // cut off: no JSON
});

for (const [value, hidden] of [
  ["succeeded", false],
  ["password", false],
  ["12345678", false],
  ["2026-11-22", false],
  ["short7!", false],
  ["hunter22", true],
  ["PassWord", true],
  ["correct horse battery staple", true],
  ["4929130048812337", true],
  ['with "quotes"', true],
  ["a.*b(c|d)", true],
  ["schlüssel-7", true],
] as const)
  test(`a redactor ${hidden ? "hides" : "shows"} the value "${value}" of a password`, () => {
    const { text } = createRedactor({ env: { DB_PASSWORD: value } });
    assert.equal(text(`It is ${value}, caller`), hidden ? "It is [DB_PASSWORD], caller" : `It is ${value}, caller`);
  });

test("a redactor uses variables named like secrets, and passwords in URLs of all others", () => {
  const env = { CRM_TOKEN_2: `${KEY}-2`, REGION: "eu-west-1a", DATABASE_URL: "postgres://me:p%40ss-77x@db.test/app" };
  const { text } = createRedactor({ env });
  assert.equal(
    text(`${KEY}-2 eu-west-1a p%40ss-77x p@ss-77x`),
    "[CRM_TOKEN_2] eu-west-1a [DATABASE_URL] [DATABASE_URL]",
  );
});

test("a redactor hides the headers for an OpenTelemetry collector, with and without their scheme", () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${KEY},x-bt-parent=project_id:5f1e77ac` };
  const { text } = createRedactor({ env });
  assert.equal(
    text(`sent Bearer ${KEY}, then ${KEY}`),
    "sent [OTEL_EXPORTER_OTLP_HEADERS], then [OTEL_EXPORTER_OTLP_HEADERS]",
  );
});

test("a redactor hides the parts of credentials in a JSON variable", () => {
  const key = { type: "service_account", project_id: "acme-desk", private_key_id: "0f3c9a5be1d24876", login: KEY };
  const { value } = createRedactor({ env: { GOOGLE_CREDENTIALS: JSON.stringify(key) } });
  assert.deepEqual(value({ id: key.private_key_id, project: key.project_id, all: JSON.stringify(key) }), {
    id: "[GOOGLE_CREDENTIALS]",
    project: "acme-desk",
    all: JSON.stringify({ ...key, private_key_id: "[GOOGLE_CREDENTIALS]" }),
  });
});

for (const value of [" ".repeat(40), "-".repeat(40), "\n\n\n\n\n\n\n\n", "a".repeat(40), ""])
  test(`a redactor ignores repeated ${JSON.stringify(value.slice(0, 2))} in a variable`, () => {
    const { text } = createRedactor({ env: { X_KEY: value } });
    assert.equal(text(`one ${value} two`), `one ${value} two`);
  });

test("a redactor hides passwords in URLs and service tokens that are in no variable", () => {
  const { text } = createRedactor({ env: {} });
  for (const [url, clean] of [
    ["postgres://me:pw@db.test/app", "postgres://me:[secret]@db.test/app"],
    ["redis://:pw@db.test:6379", "redis://:[secret]@db.test:6379"],
    ["mongodb+srv://me:pw@db.test", "mongodb+srv://me:[secret]@db.test"],
    ["jdbc:mysql://me:pw@db.test", "jdbc:mysql://me:[secret]@db.test"],
    ["http://me:pw@127.0.0.1/v1", "http://me:[secret]@127.0.0.1/v1"],
    ["Server=db;User Id=me;Password=pw-1;", "Server=db;User Id=me;Password=[secret];"],
    [`npm_${"a1B2".repeat(9)}`, "[secret]"],
    [`dop_v1_${"0123abcd".repeat(8)}`, "[secret]"],
  ])
    assert.equal(text(`at ${url} now`), `at ${clean} now`);
});

test("redaction is idempotent", () => {
  const env = { A_KEY: KEY, B_TOKEN: "[A_KEY]-9x", C_SECRET: `${KEY}${KEY}`, D_KEY: 'quote"9\n' };
  const redactor = createRedactor({ env });
  const piece = fc.constantFrom(...Object.values(env), "https://u:", "@h/?token=", "sk-", " ", "[A_KEY]", "{", '"');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const once = redactor.text(pieces.join(""));
      assert.equal(redactor.text(once), once);
      assert.ok(!once.includes(KEY), once);
    }),
  );
});

test("redaction takes linear time, for texts that start like secrets too", () => {
  const { text } = createRedactor({ env: { X_KEY: KEY } });
  for (const unit of ["sk-", "-eyJ", "eyJaaaaaaaa.", "a:b@", "a://", "http://a:", "sip:a:", "?a=", "Bearer ", '"', KEY])
    assert.equal(typeof text(unit.repeat(400_000 / unit.length)), "string"); // squared, each takes minutes
});

test("a redactor handles circular and very deep objects", () => {
  const { value } = createRedactor({ env: { X_KEY: KEY } });
  const ring: { [key: string]: unknown } = { key: KEY };
  ring.self = ring;
  assert.match(inspect(value(ring)), /\[X_KEY\]/);
  let deep: unknown = KEY;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert.ok(!JSON.stringify(inspect(value(deep), { depth: 9 })).includes(KEY));
});

test("errors contain no secret in message, hint, issues or cause", async () => {
  await withEnvironment({ CALLWEAVE_TEST_KEY: KEY }, () => {
    const cause = Object.assign(new Error(`refused ${KEY}`), { url: `http://h/?k=${KEY}`, code: "ECONNREFUSED" });
    const code = ERROR_CODES[0];
    const error = new ModelError(`Cannot use ${KEY} at redis://:pw@h`, {
      code,
      hint: `Change ${KEY}`,
      path: ["a"],
      cause,
    });
    assert.equal(error.message, "Cannot use [CALLWEAVE_TEST_KEY] at redis://:[secret]@h");
    assert.equal(error.hint, "Change [CALLWEAVE_TEST_KEY]");
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(KEY));
    assert.equal(Reflect.get(Object(error.cause), "code"), "ECONNREFUSED");
    const harmless = new Error("refused");
    assert.equal(new ModelError("Cannot", { code, hint: "", cause: harmless }).cause, harmless);
  });
});
