import assert from "node:assert/strict";
import { test } from "node:test";
import { playCaller } from "../../../../src/call/models/offline/caller.ts";
import { ENGLISH } from "../../../../src/call/models/offline/english.ts";
import { judgeByWords } from "../../../../src/call/models/offline/judge.ts";
import { composeReply } from "../../../../src/call/models/offline/respond.ts";

function reply(prompt: string, user = "", general = "", said: readonly string[] = []) {
  const input = {
    general_instructions: general,
    state_instructions: prompt,
    conversation_history: said.map((content) => ({ role: "assistant" as const, content })),
    user_message: user,
  };
  return composeReply(input, ENGLISH);
}

test("composeReply() rewrites instructions as direct speech", () => {
  assert.equal(reply("Ask for the order number."), "Could you tell me the order number?");
  assert.equal(reply("Greet the caller and ask how you can help."), "Hello! How can I help?");
  assert.equal(reply("Tell the caller that their parcel is late."), "Your parcel is late.");
  assert.equal(reply("Thank the caller for the call. Say goodbye."), "Thank you for the call. Goodbye!");
  assert.equal(reply('Say: "We are closed."'), "We are closed.");
  assert.equal(reply("Hi, this is Ada. Never say no."), "Hi, this is Ada.");
  assert.equal(reply("Offer to send a label."), "I can send a label. Shall I?");
});

test("composeReply() omits sentences about manner and forbidden topics", () => {
  assert.equal(reply("Be brief. Never promise a refund. Ask for the name."), "Could you tell me the name?");
});

test("composeReply() answers with a fact of the prompt and invents nothing", () => {
  const general = "The clinic is open from 8 to 17. A visit costs 40 euros.";
  assert.match(reply("Ask for the name.", "What does a visit cost?", general), /^A visit costs 40 euros\./);
  assert.equal(reply("Ask for the name.", "Do you sell boats?", general), "Could you tell me the name?");
});

test("composeReply() does not repeat itself", () => {
  const first = reply("Ask for the name.");
  assert.equal(reply("Ask for the name.", "what?", "", [first]), `Sorry, I did not get that. ${first}`);
});

/** The caller's next words after a call of lines that begin with `a:` or `c:`. */
function caller(persona: string, ...texts: readonly string[]) {
  const conversation_history = texts.map((line) => ({
    role: line.startsWith("a:") ? ("assistant" as const) : ("user" as const),
    content: line.slice(2).trim(),
  }));
  return playCaller({ persona, conversation_history }, ENGLISH);
}

const ANNA =
  "You are Anna Fischer. You want to know where your order is. Your order number is A-1042. Then ask for a manager.";

test("playCaller() states the goals one after another and then hangs up", () => {
  assert.equal(caller(ANNA, "a: Hello, how can I help?").message, "I want to know where my order is.");
  const first = ["a: Hello?", "c: I want to know where my order is."];
  assert.equal(
    caller(ANNA, ...first, "a: It is shipped. Anything else?").message,
    "I would like to ask for a manager.",
  );
  const second = [...first, "a: Shipped.", "c: I would like to ask for a manager."];
  assert.equal(caller(ANNA, ...second, "a: Anything else?").should_end, false);
  assert.equal(
    caller(ANNA, ...second, "a: Anything else?", "c: No, that is all, thank you.", "a: Bye!").should_end,
    true,
  );
});

test("playCaller() answers only with facts of the persona", () => {
  const call = ["a: Hello?", "c: I want to know where my order is."];
  assert.equal(caller(ANNA, ...call, "a: What is the order number?").message, "My order number is A-1042.");
  assert.equal(caller(ANNA, ...call, "a: What is your name?").message, "I am Anna Fischer.");
  const persona = "Ben Ode wants a refund. If asked for the reason, say it broke.";
  assert.equal(caller(persona, "a: Hello?").message, "I want a refund.");
  assert.equal(caller(persona, "a: Hello?", "c: I want a refund.", "a: What is the reason?").message, "It broke.");
  assert.equal(caller(persona, "a: Hello?", "c: I want a refund.", "a: Which shoe size?").message, "I do not know.");
});

function judge(criterion: string, ...agent: readonly string[]) {
  const transcript = agent.map((content) => ({ role: "assistant" as const, content }));
  const [verdict] = judgeByWords({ criteria: [{ number: 1, criterion }], transcript }).verdicts;
  assert.ok(verdict);
  return verdict;
}

test("judgeByWords() scores by the words of the criterion and says that it only matches words", () => {
  const verdict = judge("The agent asks for the order number", "Hello!", "What is the order number?");
  assert.equal(verdict.score, 1);
  assert.deepEqual(verdict.evidence, [{ role: "assistant", quote: "What is the order number?" }]);
  assert.match(verdict.reasoning, /only matches words/);
  assert.ok((verdict.confidence ?? 1) <= 0.3);
  assert.equal(judge("The agent asks for the order number", "I know the order number.").score, 0);
  assert.equal(judge("The agent names the price", "Goodbye").score, 0);
});

test("judgeByWords() recognizes reported denials as something to say", () => {
  const criterion = "The agent says that there is no order 77";
  assert.equal(judge(criterion, "There is no order 77.").score, 1);
  assert.equal(judge(criterion, "There is an order 77.").score, 0);
  assert.equal(judge(criterion, "Goodbye.").score, 0);
});

test("judgeByWords() fails a criterion without significant words", () => {
  for (const criterion of ["The agent does not", "The agent says that", "?"])
    assert.equal(judge(criterion, "Hello!").score, 0, criterion);
});

test("judgeByWords() scores forbidden words by those that were not said", () => {
  assert.equal(judge("The agent does not mention a refund", "Hello!").score, 1);
  assert.equal(judge("The agent does not mention a refund", "You get a refund.").score, 0);
});
