import assert from "node:assert/strict";
import { test } from "node:test";
import { clippedQuote, containsText } from "../../../src/call/judges/evidence.ts";
import {
  checkExpectations,
  checkFlow,
  checkMessages,
  compilePattern,
  findEvidence,
} from "../../../src/call/judges/mod.ts";
import { finishedCall, line, toolCall } from "./_fixtures.ts";

test("checkExpectations() reports the calls that were made, with arguments and outcomes", () => {
  const call = finishedCall({
    toolsCalled: [toolCall("find", { id: 1 }), toolCall("find", { id: 2 }), toolCall("book", {})],
  });
  const find = (id: number) => ({ tool: "find", args: { id } });
  const both = 'find({"id":1}), which succeeded; find({"id":2}), which succeeded';
  assert.deepEqual(checkExpectations({ extracts: {}, calls: [find(1), { tool: "find", args: {} }, find(3)] }, call), [
    { kind: "calls", expected: 'find({"id":1})', passed: true, reason: 'called find({"id":1}), which succeeded' },
    { kind: "calls", expected: "find", passed: true, reason: `called ${both}` },
    { kind: "calls", expected: 'find({"id":3})', passed: false, reason: `called ${both}` },
  ]);
});

test("checkExpectations() counts expectations only if tool and arguments are equal", () => {
  const call = finishedCall({ toolsCalled: [toolCall("find", { id: 1 }), toolCall("book", { id: 1 })] });
  const calls = [
    { tool: "book", args: { id: 1 } },
    { tool: "find", args: {} },
    { tool: "find", args: { id: 1 } },
    { tool: "find", args: { id: 1 } },
  ];
  assert.deepEqual(
    checkExpectations({ extracts: {}, calls }, call).map(({ expected, passed }) => [expected, passed]),
    [
      ['book({"id":1})', true],
      ["find", true],
      ['find({"id":1})', true],
      ['find({"id":1}), 2 times', false],
    ],
  );
});

test("checkExpectations() compares lists and null as JSON, not as texts", () => {
  const passed = (given: unknown, wanted: unknown) => {
    const call = finishedCall({ toolsCalled: [toolCall("find", { x: given })] });
    return checkExpectations({ extracts: {}, calls: [{ tool: "find", args: { x: wanted } }] }, call)[0]?.passed;
  };
  assert.equal(passed([1, 2], "1,2"), false);
  assert.equal(passed("1,2", [1, 2]), false);
  assert.equal(passed(null, "null"), false);
  assert.equal(passed("null", null), false);
  assert.equal(passed(null, null), true);
});

test("checkFlow() reports kind, expectation and end in each result", () => {
  const none = { visits: [], avoids: [] };
  const call = finishedCall({ endReason: "dead_air" });
  assert.deepEqual(checkFlow(none, call), [
    { kind: "ends", expected: "not dead_air", passed: false, reason: "the call ended with dead_air" },
  ]);
  assert.deepEqual(checkFlow({ ...none, ends: "agent_ended" }, finishedCall({ endReason: undefined })), [
    { kind: "ends", expected: "agent_ended", passed: false, reason: "the call ended with no reason" },
  ]);
  assert.deepEqual(checkFlow({ visits: ["ask"], avoids: [] }, finishedCall({ nodesVisited: [] })), [
    { kind: "visits", expected: "ask", passed: false, reason: "visited no node; never reached ask" },
  ]);
});

test("checkTexts() reports what was searched and where it was found", async () => {
  const patterns = await Promise.all(["REF-??", "zzz*zz", "z+"].map(compilePattern));
  const checks = checkMessages({ includes: [], excludes: ["never"] }, patterns, finishedCall());
  assert.deepEqual(checks, [
    { kind: "excludes", expected: "never", passed: true, reason: "the agent never said it" },
    {
      kind: "patterns",
      expected: "REF-??",
      passed: true,
      reason: 'matched in turn 1, node "billing": "Your reference is REF-A7."',
    },
    { kind: "patterns", expected: "zzz*zz", passed: false, reason: "nothing the agent said matches this glob" },
    { kind: "patterns", expected: "z+", passed: false, reason: "nothing the agent said matches this RE2 expression" },
  ]);
});

test("quote() puts a text on one line of at most 120 characters", () => {
  assert.equal(clippedQuote(" a \n\n b "), '"a b"');
  assert.equal(clippedQuote("😀".repeat(120)), `"${"😀".repeat(120)}"`);
  assert.equal(clippedQuote("😀".repeat(121)), `"${"😀".repeat(120)}…"`);
});

test("compilePattern() parses each part of a glob and reports RE2's error", async () => {
  for (const [glob, text, matches] of [
    ["glob:^a\\[b", "^a[b", true],
    ["glob:[a^]", "^", true],
    ["glob:[^a]", "a", true],
    ["glob:[^a]", "b", false],
    ["glob:[!a]", "!", true],
    ["glob:[!a]", "a", false],
    ["glob:x[]y", "x[]y", true],
    ["glob:[]]", "]", true],
    ["glob:\\?", "?", true],
    ["glob:\\?", "x", false],
    ["glob:a\\\nb", "a\nb", true],
    ["glob:x[!]y", "x[!]y", true],
  ] as const)
    assert.equal((await compilePattern(glob)).matches(text), matches, `${glob} in ${text}`);
  await assert.rejects(compilePattern("a("), {
    path: ["patterns"],
    message: /^Cannot read pattern "a\(": (?!error parsing)\S/,
    hint: /glob:/,
  });
});

test("findEvidence() removes a speaker's name only at the start of a quotation", () => {
  const agent = line("assistant", "Our agent: the best. The   caller is king.");
  const user = line("user", "Fine.");
  assert.deepEqual(findEvidence("Our agent: the best", [agent, user]), [agent]);
  assert.deepEqual(findEvidence("the   caller:   fine", [agent, user]), [user]);
  assert.deepEqual(findEvidence("  customer said: fine", [agent, user]), [user]);
  assert.deepEqual(findEvidence([{ role: "assistant", quote: "caller: fine" }], [agent, user]), undefined);
  assert.deepEqual(findEvidence([{ role: "user", quote: "  caller: fine" }], [agent, user]), [user]);
});

test("findEvidence() ignores marks around a quotation, and blank quotations", () => {
  const agent = line("assistant", "Hello there");
  for (const text of ["- *'Hello there'.", '"Hello there"?!', "… Hello … there; …", '"Hello there" ""'])
    assert.deepEqual(findEvidence(text, [agent]), [agent], text);
  assert.deepEqual(
    findEvidence(
      [
        { role: "assistant", quote: " " },
        { role: "assistant", quote: "Hello" },
      ],
      [agent],
    ),
    [agent],
  );
  assert.equal(findEvidence("?!", [line("assistant", "What?!?!")])?.length, 1);
  assert.equal(findEvidence("? ... !", [line("assistant", "What?!")]), undefined);
  assert.equal(findEvidence("caller: lookup", [line("tool", "lookup")]), undefined);
});

test("findEvidence() accepts at most 100 parts", () => {
  const agent = line("assistant", "yes");
  assert.deepEqual(findEvidence(Array.from({ length: 100 }, () => "yes").join(" ... "), [agent]), [agent]);
  assert.equal(findEvidence(Array.from({ length: 101 }, () => "yes").join(" ... "), [agent]), undefined);
});

test("containsText() finds long texts with repeated prefixes", () => {
  const needle = `${"ab".repeat(20)}c`;
  for (const text of [`ab${needle}`, `${"ab".repeat(5)}${needle}x`, `${"ab".repeat(19)}c${needle}`])
    assert.equal(containsText(text, needle), true);
  for (const text of [
    "ab".repeat(40),
    `${"ab".repeat(19)}c`,
    `${needle.slice(0, -1)}d`,
    `${"ab".repeat(10)}aab${"ab".repeat(9)}c`,
  ])
    assert.equal(containsText(text, needle), false);
});
