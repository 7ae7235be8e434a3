import assert from "node:assert/strict";
import { test } from "node:test";
import { pickTransition } from "../../../../src/call/models/offline/transition.ts";

/** What is picked among offers, written as `target: condition`. */
function pick(said: string, conditions: Readonly<Record<string, string>>, asked = "") {
  return pickTransition({
    current_state_prompt: "",
    conversation_history: said ? [{ role: "user", content: said }] : [],
    last_agent_message: asked,
    available_transitions: Object.entries(conditions).map(([target, condition]) => ({
      target,
      condition,
      condition_type: "llm_prompt" as const,
      description: "",
    })),
  });
}

test("pickTransition() picks the condition that shares the most words with the caller's message", () => {
  const offers = { book: "Caller wants to book an appointment", cancel: "Caller wants to cancel an appointment" };
  assert.equal(pick("I need to cancel my appointment", offers).transition_to, "cancel");
  assert.equal(pick("Can I schedule an appointment?", offers).transition_to, "book");
  assert.deepEqual(pick("Nice weather today", offers), { objectives_complete: true, transition_to: "none" });
});

test("pickTransition() picks the first of equal conditions", () => {
  assert.equal(pick("about my invoice", { a: "Caller has an invoice", b: "Caller has an invoice" }).transition_to, "a");
});

test("pickTransition() recognizes given values by their form", () => {
  const offers = { next: "Caller gives the order number" };
  assert.equal(pick("A-1042", offers).transition_to, "next");
  assert.equal(pick("It is four eight one five", offers).transition_to, "next");
  assert.equal(pick("I don't have it here", offers).transition_to, "none");
  assert.equal(
    pick("Anna Fischer", { next: "Caller has given their name" }, "What is your name?").transition_to,
    "next",
  );
  assert.equal(pick("anna@example.com", { next: "User provided an email" }).transition_to, "next");
});

test("pickTransition() takes a short answer to a question for what it asks for", () => {
  const offers = { next: "Caller names the medication", refund: "Caller wants a refund" };
  const asked = "Which medication do you need?";
  for (const said of ["Oxycodone.", "The blue tablets"]) assert.equal(pick(said, offers, asked).transition_to, "next");
  for (const said of ["I do not know", "Sorry?", "No"]) assert.equal(pick(said, offers, asked).transition_to, "none");
  assert.equal(pick("Oxycodone.", offers, "How can I help?").transition_to, "none");
});

test("pickTransition() hears a confirmation in its own words", () => {
  const offers = { next: "Caller confirmed the dose", no: "Caller declines" };
  for (const said of ["I confirm.", "Yes", "Confirmed", "I agree to that", "That works"])
    assert.equal(pick(said, offers, "Is it two a day?").transition_to, "next", said);
  assert.equal(pick("I do not agree", offers, "Is it two a day?").transition_to, "no");
});

test("pickTransition() treats yes and no as answers to the agent's question", () => {
  const offers = { done: "Lamp lights up", broken: "Lamp does not light up" };
  assert.equal(pick("Yes", offers, "Does the lamp light up?").transition_to, "done");
  assert.equal(pick("No.", offers, "Does the lamp light up?").transition_to, "broken");
  const deal = { yes: "Caller accepts the offer", no: "Caller declines the offer" };
  assert.equal(pick("Sure, go ahead", deal).transition_to, "yes");
  assert.equal(pick("No thanks", deal).transition_to, "no");
});

test("pickTransition() does not match negated words", () => {
  assert.equal(pick("I do not want a refund", { refund: "Caller wants a refund" }).transition_to, "none");
});

test("pickTransition() recognizes that a caller is done or ready to go back", () => {
  assert.equal(pick("That is all, thanks", { bye: "Caller has no more questions" }).transition_to, "bye");
  assert.equal(pick("Where is it?", { bye: "Caller has no more questions" }).transition_to, "none");
  assert.equal(pick("Fine, let us carry on", { back: "Caller is ready to continue" }).transition_to, "back");
});

test("pickTransition() keeps objectives open when the caller asks back or gives no answer", () => {
  assert.equal(pick("Sorry, can you repeat that?", { x: "Caller wants a refund" }).objectives_complete, false);
  const asked = "Could you tell me the order number?";
  assert.equal(pick("It was a birthday present", { x: "Caller wants a refund" }, asked).objectives_complete, false);
  assert.equal(pick("", { x: "Caller wants a refund" }).objectives_complete, false);
});

test("pickTransition() assumes that the agent's own work is done unless its tool failed", () => {
  const offers = { next: "Context loaded", sorry: "Look-up failed" };
  assert.equal(pick("", offers).transition_to, "next");
  const after = (content: string) =>
    pickTransition({
      current_state_prompt: "",
      conversation_history: [{ role: "tool", content }],
      last_agent_message: "",
      available_transitions: Object.entries(offers).map(([target, condition]) => ({
        target,
        condition,
        condition_type: "llm_prompt" as const,
        description: "",
      })),
    }).transition_to;
  assert.equal(after('look_up({"id":"1"}) succeeded: {"status":"shipped"}'), "next");
  assert.equal(after('look_up({"id":"1"}) failed: no such order'), "sorry");
  assert.equal(after('look_up({"id":"x) failed: y"}) succeeded: {"state":") failed: no"}'), "next");
});

test("pickTransition() picks unconditional transitions when nothing else matches", () => {
  const offers = { next: "Always", spanish: "Caller asks for Spanish" };
  assert.equal(pick("I need a plumber", offers).transition_to, "next");
  assert.equal(pick("Spanish, please", offers).transition_to, "spanish");
});
