import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReplies, compilePattern } from "../../../src/call/judges/mod.ts";
import { type ReplyRule, replyPatterns } from "../../../src/document/scenario/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";

/** Messages of a call, as `agent@node: words` or `caller: words`. */
function transcriptOf(...lines: readonly string[]): readonly Message[] {
  return lines.map((line) => {
    const [, who = "", node = "", content = ""] = /^(\w+)(?:@(\w+))?: ?([\s\S]*)$/.exec(line) ?? [];
    return {
      role: who === "caller" ? "user" : "assistant",
      content,
      node_id: node,
      timestamp: "2026-01-01T00:00:00Z",
      metadata: {},
    };
  });
}

interface Facts {
  readonly variables?: { readonly [name: string]: string };
  readonly extracts?: { readonly [name: string]: unknown };
  readonly firstWordMs?: readonly (number | null)[];
}

async function checked(rule: ReplyRule, lines: readonly string[], facts: Facts = {}) {
  const patterns = new Map(
    await Promise.all(replyPatterns(rule).map(async ({ source }) => [source, await compilePattern(source)] as const)),
  );
  const { variables = {}, extracts = {}, firstWordMs = [] } = facts;
  const latency = firstWordMs.map((ms, turn) => ({ turn, nodeId: "", firstWordMs: ms }));
  const call = { transcript: transcriptOf(...lines), variables, latency };
  const { checks, notChecked } = checkReplies({ each_reply: [rule], extracts, dynamic_variables: {} }, call, patterns);
  const [check] = checks;
  if (!check) return notChecked[0]?.reason;
  return { held: check.replies?.held, of: check.replies?.of, passed: check.passed, reason: check.reason };
}

const CALL = [
  "agent@greet: Hello, this is the clinic. How can I help?",
  "caller: I want to come in",
  "agent@ask: Of course. Which day? And which doctor?",
  "caller: Tuesday, Dr Ames",
  "agent@ask: Thank you.",
  "agent@book: You are booked for Tuesday with Dr Ames.",
  "caller: no thanks",
  "agent@bye: Goodbye.",
];

test("checkReplies() counts consecutive messages of the agent as one reply", async () => {
  const found = await checked({ words_at_most: 9 }, CALL);
  assert.deepEqual(found, {
    held: 3,
    of: 4,
    passed: false,
    reason:
      '3 of 4 replies (95 % interval 30.1 % to 95.4 %); the first that breaks it, in turn 2, node "ask": "Thank you. You are booked for Tuesday with Dr Ames.", 10 words',
  });
  assert.deepEqual(await held({ words_at_most: 10 }, CALL), [4, 4, true]);
});

test("checkReplies() compares the share with at_least", async () => {
  assert.deepEqual(await held({ words_at_most: 9, at_least: 0.75 }, CALL), [3, 4, true]);
  assert.deepEqual(await held({ words_at_most: 9, at_least: 0.76 }, CALL), [3, 4, false]);
});

test("checkReplies() looks at one node, some turns, or what follows a message", async () => {
  assert.deepEqual(await held({ words_at_most: 2, node: "ask" }, CALL), [1, 2, false]);
  assert.deepEqual(await held({ words_at_most: 10, node: "book" }, CALL), [1, 1, true]);
  assert.deepEqual(await held({ questions_at_most: 0, from_turn: 2 }, CALL), [2, 2, true]);
  assert.deepEqual(await held({ questions_at_most: 0, to_turn: 0 }, CALL), [0, 1, false]);
  assert.deepEqual(await held({ no_pattern: "Tuesday", after: "no thanks" }, CALL), [1, 1, true]);
  const stubborn = [...CALL, "caller: no", "agent@bye: What about Tuesday evening?"];
  assert.deepEqual(await held({ no_pattern: "Tuesday", after: "no thanks" }, stubborn), [1, 2, false]);
});

test("checkReplies() does not pass a rule that applies to no reply", async () => {
  assert.equal(await checked({ words_at_most: 9, node: "other" }, CALL), "the agent says nothing there");
  assert.equal(
    await checked({ no_pattern: "x", after: "never said" }, CALL),
    "the agent says nothing after never said",
  );
  assert.equal(await checked({ words_at_most: 9 }, ["caller: hello", "agent@a:  "]), "the agent says nothing there");
});

test("checkReplies() counts words, seconds, questions and patterns", async () => {
  const lines = ["agent@a: 明日は九時に開きます。", "caller: x", "agent@a: Well-known, isn't it? Really?? — yes"];
  assert.deepEqual(await held({ words_at_most: 5 }, lines), [1, 2, false]); // Japanese words are counted, too
  assert.deepEqual(await held({ seconds_at_most: 2, from_turn: 1 }, lines), [1, 1, true]); // 5 words
  assert.deepEqual(await held({ seconds_at_most: 1.9, from_turn: 1 }, lines), [0, 1, false]);
  assert.deepEqual(await held({ questions_at_most: 2 }, lines), [2, 2, true]);
  assert.deepEqual(await held({ questions_at_most: 1 }, lines), [1, 2, false]);
  assert.deepEqual(await held({ pattern: "glob:*it?*" }, lines), [1, 2, false]);
});

test("checkReplies() computes the automated readability index", async () => {
  // 36 letters, 6 words, 1 sentence: 4.71 * 36 / 6 + 0.5 * 6 - 21.43 = 9.83
  const lines = ["agent@a: Please confirm whether tomorrow suits you."];
  assert.deepEqual(await held({ reading_level_at_most: 9.8 }, lines), [1, 1, true]);
  const { reason } = await detail({ reading_level_at_most: 9.7 }, lines);
  assert.match(reason, /, 9\.8 is its reading level$/);
});

test("checkReplies() finds sentences that are said again, wherever they were said before", async () => {
  const lines = [
    "agent@a: What is your order number?",
    "caller: hm",
    "agent@b: Sorry. What is your order number?",
    "caller: 7",
    "agent@b: Sorry. Thank you.",
  ];
  assert.deepEqual(await held({ no_repetition: true }, lines), [2, 3, false]);
  assert.deepEqual(await held({ no_repetition: true, node: "b" }, lines), [1, 2, false]);
  assert.deepEqual(await held({ no_repetition: true, from_turn: 2 }, lines), [1, 1, true]);
});

test("checkReplies() compares the silence before a reply, and passes none that was not measured", async () => {
  assert.deepEqual(await held({ silence_at_most_ms: 800 }, CALL, { firstWordMs: [null, 700, 900, 800] }), [
    2,
    3,
    false,
  ]);
  assert.equal(await checked({ silence_at_most_ms: 800 }, CALL), "no reply there was measured");
});

test("checkReplies() compares what is said back with the value", async () => {
  const said = async (value: string, ...lines: readonly string[]) => {
    const found = await checked(
      { says_back: "it" },
      lines.map((line) => `agent@a: ${line}`),
      { variables: { it: value } },
    );
    return typeof found === "object" ? found.passed : found;
  };
  for (const [value, line] of [
    ["48213", "That is 48213, right?"],
    ["48213", "That is 4-8-2-1-3."],
    ["48213", "So: four eight two one three."],
    ["5558675309", "I have 555 867 5309."],
    ["AB12", "Your code is A B 1 2."],
    ["42.5", "That makes 42.50 euros."],
    ["Meyer", "Thank you, Ms Meyer."],
    ["Ana Gómez", "So it is Ana Gómez?"],
    ["3", "A table for 3."],
  ] as const)
    assert.equal(await said(value, line), true, `${value}: ${line}`);
  for (const [value, line] of [
    ["48213", "That is 48231, right?"],
    ["48213", "That is 482135."],
    ["AB12", "Your code is AB123."],
    ["42.5", "That makes 4250 euros."],
    ["Meyer", "Thank you, Ms Meier."],
    ["Meyer", "Thank you very much."],
    ["3", "A table for 13."],
  ] as const)
    assert.equal(await said(value, line), false, `${value}: ${line}`);
});

test("checkReplies() fails a call in which a value is said wrongly once, although it is said rightly, too", async () => {
  const lines = [
    "agent@a: Is it 48231?",
    "caller: no",
    "agent@a: Then 48213.",
    "caller: yes",
    "agent@a: Thanks, 1 moment.",
  ];
  assert.deepEqual(await held({ says_back: "it" }, lines, { variables: { it: "48213" } }), [1, 2, false]);
  const names = ["agent@a: Thank you, Ms Meier.", "caller: Meyer", "agent@a: Sorry, Ms Meyer. You may call us."];
  assert.deepEqual(await held({ says_back: "it" }, names, { variables: { it: "Meyer" } }), [1, 2, false]);
});

test("checkReplies() prefers the expected value to the one that the call extracted", async () => {
  const facts = { variables: { order: "48231" }, extracts: { order: "48213" } };
  assert.deepEqual(await held({ says_back: "order" }, ["agent@a: Order 48231."], facts), [0, 1, false]);
  assert.equal(await checked({ says_back: "order" }, ["agent@a: Order 48231."]), "order has no value");
});

async function detail(rule: ReplyRule, lines: readonly string[], facts?: Facts) {
  const found = await checked(rule, lines, facts);
  assert.ok(typeof found === "object", String(found));
  return found;
}

async function held(rule: ReplyRule, lines: readonly string[], facts?: Facts) {
  const { held, of, passed } = await detail(rule, lines, facts);
  return [held, of, passed];
}
