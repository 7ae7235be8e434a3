import assert from "node:assert/strict";
import { test } from "node:test";
import { callerWords } from "../../../src/analysis/play/caller_words.ts";

const SENTENCES = [
  ["Caller gives a reason for the call", "You give a reason for the call", "I give a reason for the call."],
  ["The user wants to book.", "You want to book", "I want to book."],
  ["If the customer says yes", "You say yes", "I say yes."],
  ["Caller does not have the number", "You do not have the number", "I do not have the number."],
  ["Caller is ready", "You are ready", "I am ready."],
  ["Patient has no more questions", "You have no more questions", "I have no more questions."],
  ["User confirms their identity", "You confirm your identity", "I confirm my identity."],
  ["User tries again", "You try again", "I try again."],
  ["Caller wishes to wait", "You wish to wait", "I wish to wait."],
  ["Caller refused the offer", "You refused the offer", "I refused the offer."],
  ["", "You answer what the agent says", "Please go on."],
] as const;

test("callerWords() puts a plain sentence about the caller into the second and the first person", () => {
  for (const [condition, you, line] of SENTENCES) assert.deepEqual(callerWords(condition), { you, line }, condition);
});

test("callerWords() quotes a condition whose grammar it does not know", () => {
  for (const condition of ["Lamp lights up", "User accepts or declines", "Caller's balance is low", "Kunde sagt ja"])
    assert.deepEqual(callerWords(condition), { you: `You make this true: "${condition}"`, line: `${condition}.` });
});
