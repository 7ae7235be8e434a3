import assert from "node:assert/strict";
import { test } from "node:test";
import { callerWords } from "../../../../src/agent/analysis/play/caller_words.ts";

const SENTENCES = [
  ["Caller gives a reason for the call", "you give a reason for the call", "I give a reason for the call."],
  ["The user wants to book.", "you want to book", "I want to book."],
  ["If the customer says yes", "you say yes", "I say yes."],
  ["After customer give the answer", "you give the answer", "I give the answer."],
  ["Caller does not have the number", "you do not have the number", "I do not have the number."],
  ["Caller is ready", "you are ready", "I am ready."],
  ["Patient has no more questions", "you have no more questions", "I have no more questions."],
  ["User confirms their identity", "you confirm your identity", "I confirm my identity."],
  ["User tries again", "you try again", "I try again."],
  ["Caller refused the offer", "you refuse the offer", "I refuse the offer."],
  ["Caller also wants to reschedule", "you also want to reschedule", "I also want to reschedule."],
  ["Wants to speak to a manager", "you want to speak to a manager", "I want to speak to a manager."],
  ["if his answer is yes", "you answer yes", "Yes."],
  ["User accepts or declines", "you accept or decline", "I accept or decline."],
  [
    "The caller asked for X, said stop, or demanded that they get nothing. They want peace.",
    "you ask for X, say stop, or demand that you get nothing. You want peace",
    "I ask for X, say stop, or demand that I get nothing. I want peace.",
  ],
  ["Nothing else. Close warmly.", "you say that there is nothing else", "Nothing else."],
  ["", "you answer what the agent says", "Please go on."],
] as const;

test("callerWords() puts a sentence about the caller into the second and the first person", () => {
  for (const [condition, you, line] of SENTENCES) assert.deepEqual(callerWords(condition), { you, line }, condition);
});

test("callerWords() names the topics of a list, and what else has to come about", () => {
  const you = (condition: string) => callerWords(condition).you;
  assert.equal(you("Repair, service, quote"), 'what you say is about one of these: "Repair, service, quote"');
  for (const condition of ["Lamp lights up and is green", "Caller's balance is low"])
    assert.equal(you(condition), `you say what is needed so that this holds: "${condition}"`);
});

test("callerWords() leaves out what a condition tells the agent", () => {
  for (const [condition, words] of [
    ["Caller describes a leak. Only trigger for emergencies, not for repairs.", "you describe a leak"],
    ["Caller wants to pay. This is NOT the same as asking. Transition to node_pay.", "you want to pay"],
    ["All details confirmed, close", 'you say what is needed so that this holds: "All details confirmed"'],
  ] as const)
    assert.equal(callerWords(condition).you, words);
});
