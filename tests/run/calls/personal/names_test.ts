import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer, type RecordedCall } from "../../../../api/calls.ts";
import type { Message } from "../../../../mod.ts";

const { text, call } = await createPseudonymizer({ key: "a key for tests" });

/** What stays of a caller's answer to a question. */
function answerTo(question: string, answer: string): string | undefined {
  const line = (role: Message["role"], content: string): Message => ({
    role,
    content,
    node_id: "ask",
    timestamp: "2024-05-20T10:00:00.000Z",
    metadata: {},
  });
  const original: RecordedCall = {
    provenance: { format: "openai", callId: "c1", source: "calls.json", position: 1, redacted: false },
    startedAt: null,
    durationMs: null,
    transcript: [line("assistant", question), line("user", answer)],
    nodesVisited: ["ask"],
    toolsCalled: [],
    variables: {},
  };
  return call(original).transcript[1]?.content;
}

test("a name after a title is replaced, and a word that is no name stays", () => {
  assert.match(text("Please ask Mr. Bell about it."), /^Please ask Mr\. (?!Bell)[A-Z][a-z]+ about it\.$/);
  assert.equal(text("Please ask Mr. Please about it."), "Please ask Mr. Please about it.");
});

test("a rare last name in lower case is replaced with the first name before it", () => {
  assert.match(text("my name is elif yildirimoglu"), /^my name is (?!elif)[a-z]+ (?!yildirimoglu)[a-z]+$/);
});

test("a name from earlier in the call is replaced after a comma, in lower case too", () => {
  const [, first = "", again = ""] = /^My name is (\w+) \w+\. Yes, (\w+)\.$/.exec(
    text("My name is Elif Aksoy. Yes, elif."),
  ) ?? [""];
  assert.notEqual(first, "Elif");
  assert.equal(again, first.toLowerCase());
});

test("an answer to a question for a name is replaced, whatever word it begins like", () => {
  for (const name of ["ismet", "sorin", "okan", "yourik"])
    assert.match(answerTo("What is your name?", name) ?? name, new RegExp(`^(?!${name})[a-z]+$`));
});

test("a place alone is the name that was asked for, and one in a sentence is not", () => {
  assert.notEqual(answerTo("What is your name?", "paris"), "paris");
  assert.equal(answerTo("What is your name?", "paris is where i live now"), "paris is where i live now");
});

test("a short name in capitals is replaced after words before a person, and an abbreviation stays", () => {
  assert.match(text("Please transfer me to BOB."), /^Please transfer me to (?!BOB)[A-Z]+\.$/);
  assert.equal(text("Your ETA is late."), "Your ETA is late.");
});

test("a first name that is also a word is replaced where it closes its phrase, and stays before a verb", () => {
  assert.match(text("This is Will."), /^This is (?!Will)[A-Z][a-z]+\.$/);
  assert.equal(text("This is Will call back"), "This is Will call back");
});

test("a last name that is also a kind of place is replaced, and a place keeps its kind", () => {
  assert.match(text("My name is Elif Park."), /^My name is (?!Elif)[A-Z][a-z]+ (?!Park)[A-Z][a-z]+\.$/);
  assert.match(text("My name is Elif Hotel."), /^My name is (?!Elif)[A-Z][a-z]+ Hotel\.$/);
});

test("an initial is replaced with the name after it", () => {
  assert.match(text("My name is J. Okonkwo."), /^My name is (?!J)[A-Z]\. (?!Okonkwo)[A-Z][a-z]+\.$/);
});

test("two words that are also names are replaced within a sentence, and stay at its start", () => {
  assert.match(text("Did Mark Brown call?"), /^Did (?!Mark)[A-Z][a-z]+ (?!Brown)[A-Z][a-z]+ call\?$/);
  assert.equal(text("Rose Brown paper"), "Rose Brown paper");
});
