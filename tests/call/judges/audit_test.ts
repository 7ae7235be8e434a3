import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditedCall, auditFacts } from "../../../src/call/judges/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";

type Line = readonly [role: Message["role"], content: string, metadata?: Message["metadata"]];

/** A call with these lines. */
function heard(lines: readonly Line[], given: Partial<AuditedCall> = {}): AuditedCall {
  const transcript = lines.map(([role, content, metadata = {}], index) => {
    return { role, content, metadata, node_id: "ask", timestamp: `2026-03-01T09:00:0${index}.000Z` };
  });
  return { persona: "You are Ann. Your order is 4815.", given: [], endReason: "agent_ended", ...given, transcript };
}

/** The facts that the audit finds in the caller's words. */
const inventedIn = (words: string, given?: Partial<AuditedCall>) =>
  auditFacts(heard([["user", words]], given)).map(({ fact }) => fact);

test("a caller that states a number, code or address which it was not given has invented it", () => {
  assert.deepEqual(inventedIn("My order is 9962"), ["9962"]);
  assert.deepEqual(inventedIn("It is nine nine six two"), ["9962"]);
  assert.deepEqual(inventedIn("Call me at +41 79 555 12 34, please"), ["41 79 555 12 34"]);
  assert.deepEqual(inventedIn("The reference is BX-20941."), ["BX-20941"]);
  assert.deepEqual(inventedIn("Write to ann.berg@example.com"), ["ann.berg@example.com"]);
  assert.deepEqual(inventedIn("My order is 4815 and my card ends in 7731"), ["7731"]);
});

test("facts of the persona, of variables and of scripted lines are known, however they are spelled", () => {
  assert.deepEqual(inventedIn("It is 4-8-1-5"), []);
  assert.deepEqual(inventedIn("It is four eight one five"), []);
  const persona = "Your phone is +1 (415) 555-0132, your code bx20941, your mail Ann.Berg@example.com.";
  assert.deepEqual(inventedIn("415 555 0132, code BX-20941, ann.berg@example.com", { persona }), []);
  assert.deepEqual(inventedIn("My number is 0014155550132", { persona }), []);
  assert.deepEqual(inventedIn("It is order 9962", { given: ["9962"] }), []);
  assert.deepEqual(inventedIn("It is order 9962", { given: ["It is order 9962"] }), []);
});

test("what agent and tools said before may be repeated, and what they say later may not have been known", () => {
  const agent: Line = ["assistant", "Is it order 9962?"];
  const tool: Line = ["tool", "look_up succeeded", { kind: "tool_call", result: { order: { id: 9962 } } }];
  const caller: Line = ["user", "Yes, 9962"];
  assert.deepEqual(auditFacts(heard([agent, caller])), []);
  assert.deepEqual(auditFacts(heard([tool, caller])), []);
  const [finding, ...others] = auditFacts(heard([caller, agent, caller]));
  assert.deepEqual(others, []);
  assert.equal(finding?.kind, "invented-fact");
  assert.equal(finding?.quote, "Yes, 9962");
  assert.match(finding?.reason ?? "", /The caller said "9962" \(turn 1, node "ask": "Yes, 9962"\)/);
});

test("an invented fact is a finding, although a source holds one that is like it", () => {
  const persona = "Your phone is +1 415 555 0132, your mail is ann-one@example.com, your code is BX-20941.";
  for (const words of ["415 999 0132", "555 0199", "bob@example.com", "bob-one@example.com", "BX-20942", "XB-20941"])
    assert.equal(inventedIn(`It is ${words}`, { persona }).length, 1, words);
});

test("a known address or code may be spelled with other letters for the same sound or sign", () => {
  for (const [persona, words] of [
    ["Your mail is one-two-three@example.com.", "one-two-three@example.com"],
    ["Your code is B X two zero nine.", "BX-209"],
    ["Your code is straße-12.", "STRASSE-12"],
    ["Your code is E\u0301T-204.", "\u00c9T-204"],
  ] as const)
    assert.deepEqual(inventedIn(`It is ${words}`, { persona }), [], words);
});

test("a known number is known next to an address, a date or other numbers", () => {
  const persona = "Your order is 4815, your mail ann@example.com.";
  assert.deepEqual(inventedIn("4815, ann@example.com, 12 pieces", { persona }), []);
  assert.deepEqual(inventedIn("4815, 5/3/2026, 2 people", { persona }), []);
});

test("a line that the caller was given to say is no invention, whatever white space is around it", () => {
  const words = "5/3/2026oh nine one two";
  assert.deepEqual(inventedIn(words), ["0912"]);
  assert.deepEqual(inventedIn(` ${words}`, { given: [`${words}\n`] }), []);
});

test("each invented fact is one finding, where it was first said, and each line may hold several", () => {
  const found = auditFacts(
    heard([
      ["user", "It is 9962, or 9963"],
      ["user", "9962, as I said, or 9964"],
    ]),
  );
  assert.deepEqual(
    found.map(({ fact, quote }) => [fact, quote]),
    [
      ["9962", "It is 9962, or 9963"],
      ["9963", "It is 9962, or 9963"],
      ["9964", "9962, as I said, or 9964"],
    ],
  );
});

test("the caller's own earlier words, and what is recorded of an agent's line, are no source of a fact", () => {
  const own: Line = ["user", "I had 99 of 62"];
  const agent: Line = ["assistant", "Which order?", { kind: "tool_call", id: 9962 }];
  const decision: Line = ["tool", "ask", { kind: "decision", reasoning: "It could be 9962" }];
  for (const earlier of [own, agent, decision])
    assert.equal(auditFacts(heard([earlier, ["user", "Order 9962"]])).length, 1, earlier[1]);
});

test("times, dates, years, small numbers and ordinals are not taken for facts", () => {
  for (const words of [
    "At 10:30 or 3.45 pm, for 2 people",
    "On 5/3/2026, or in 2027",
    "The 12th, for 20min, at 10am",
    "I have called 3 times in 24 hours",
    "Yes, please.",
    "I need it ASAP, the 2nd or the 3RD",
  ])
    assert.deepEqual(inventedIn(words), [], words);
});

test("the audit takes time linear to the length of a line", () => {
  for (const words of ["1 ".repeat(40_000), "a1B".repeat(30_000), `${"a.".repeat(40_000)}@`, "one ".repeat(20_000)]) {
    assert.ok(inventedIn(words).length <= words.length);
  }
});
