import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMessages, compilePattern } from "../../../src/call/judges/mod.ts";
import { finishedCall, line } from "./_fixtures.ts";

const nothing = { includes: [], excludes: [] };

test("checkTexts() ignores case and white space", () => {
  const checks = checkMessages({ ...nothing, includes: ["THROUGH to acme", "ref-a7", "refund"] }, [], finishedCall());
  assert.deepEqual(
    checks.map(({ passed }) => passed),
    [true, true, false],
  );
  assert.equal(checks[1]?.reason, 'said in turn 1, node "billing": "Your reference is REF-A7."');
  assert.equal(checks[2]?.reason, "the agent never said it");
});

test("checkTexts() searches only the agent's messages", () => {
  const texts = ["123-45", "secret"];
  const included = checkMessages({ ...nothing, includes: texts }, [], finishedCall());
  const excluded = checkMessages({ ...nothing, excludes: texts }, [], finishedCall());
  assert.ok(included.every(({ passed }) => !passed));
  assert.ok(excluded.every(({ passed }) => passed));
});

test("checkTexts() fails excluded texts, with their place", () => {
  const [check] = checkMessages({ ...nothing, excludes: ["hello"] }, [], finishedCall());
  assert.equal(check?.passed, false);
  assert.match(check?.reason ?? "", /^said in opening, node "greet": "Hello/);
});

test("checkTexts() treats equivalent Unicode spellings as equal", () => {
  const call = finishedCall({ transcript: [line("assistant", "Ihre STRASSE in Ko\u0308ln")] });
  const checks = checkMessages({ ...nothing, includes: ["straße in köln"] }, [], call);
  assert.equal(checks[0]?.passed, true);
});

test("checkTexts() ignores the style of quotes and dashes", () => {
  const said = "I can’t, I won\u02bct give you your PIN\u00adcode \u2013 ask at the «desk» in ΟΔΟΣΑ…";
  const call = finishedCall({ transcript: [line("assistant", said)] });
  const texts = ["can't, I won't give", "pincode - ask", '"desk"', "ΟΔΟΣ", "..."];
  const passed = (checks: ReturnType<typeof checkMessages>) => checks.map((check) => check.passed);
  const all = texts.map(() => true);
  assert.deepEqual(passed(checkMessages({ ...nothing, includes: texts }, [], call)), all);
  assert.deepEqual(
    passed(checkMessages({ ...nothing, excludes: texts }, [], call)),
    all.map(() => false),
  );
});

test("checkTexts() finds excluded texts across consecutive messages, and only there", () => {
  const transcript = [
    line("assistant", "Your PIN is"),
    line("tool", "greet -> tell: always"),
    line("assistant", "1234.", "tell"),
    line("user", "Thanks."),
    line("assistant", "Goodbye."),
  ];
  const excludes = ["PIN is 1234", "1234. Goodbye"];
  const checks = checkMessages({ includes: ["PIN is 1234"], excludes }, [], finishedCall({ transcript }));
  assert.deepEqual(
    checks.map(({ kind, passed }) => [kind, passed]),
    [
      ["includes", false],
      ["excludes", false],
      ["excludes", true],
    ],
  );
  assert.equal(checks[1]?.reason, 'said across lines, from opening, node "greet" on');
});

test("checkTexts() ignores blank texts, and reports a silent agent", () => {
  const silent = finishedCall({ transcript: [line("user", "Hello?")] });
  const patterns = [{ source: "x", kind: "re2", matches: () => true, spellingFor: () => undefined } as const];
  const checks = checkMessages({ includes: ["", "\u200b", "hello"], excludes: [" "] }, patterns, silent);
  assert.deepEqual(
    checks.map(({ kind, passed, reason }) => ({ kind, passed, reason })),
    [
      { kind: "includes", passed: false, reason: "the agent said nothing at all" },
      { kind: "patterns", passed: false, reason: "the agent said nothing at all" },
    ],
  );
});

test("checkTexts() matches patterns against each message of the agent", async () => {
  const sources = ["^Your reference is REF-[A-Z0-9]+\\.$", "123-45", "*REF-??."];
  const patterns = await Promise.all(sources.map(compilePattern));
  const checks = checkMessages(nothing, patterns, finishedCall());
  assert.deepEqual(
    checks.map(({ passed }) => passed),
    [true, false, true],
  );
});
