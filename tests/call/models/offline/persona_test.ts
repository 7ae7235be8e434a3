import assert from "node:assert/strict";
import { test } from "node:test";
import { personaParts } from "../../../../src/call/models/offline/caller.ts";

/** What a persona comes to, one line a part. */
function read(persona: string): readonly string[] {
  return personaParts(persona).map(({ kind, spoken }) => `${kind}: ${spoken}`);
}

test("partsOf() handles personas that address the caller", () => {
  assert.deepEqual(read("You are Lisa Park. You received a bill and want to pay it. You can afford $50 per month."), [
    "fact: I am Lisa Park.",
    "goal: I received a bill and want to pay it.",
    "fact: I can afford $50 per month.",
  ]);
});

test("partsOf() handles instructions to the caller", () => {
  assert.deepEqual(read("Say you are Maria Garcia. Ask to update your phone number to 5551234567."), [
    "fact: I am Maria Garcia.",
    "goal: I would like to update my phone number to 5551234567.",
  ]);
  assert.deepEqual(read("Identify yourself as Tom Wilson with order ORD-789. Book a table."), [
    "fact: I am Tom Wilson with order ORD-789.",
    "goal: I would like to book a table.",
  ]);
  assert.deepEqual(read("Say that the lamp is broken."), ["goal: The lamp is broken."]);
});

test("partsOf() keeps answers until the agent asks", () => {
  assert.deepEqual(read("When asked for name, provide or confirm you are Jane Smith. You want help."), [
    "instruction: I am Jane Smith.",
    "goal: I want help.",
  ]);
  assert.deepEqual(read('If asked whether it is urgent, say "no". You need a plumber.'), [
    "instruction: No.",
    "goal: I need a plumber.",
  ]);
});

test("partsOf() rewrites third-person reports in the first person", () => {
  assert.deepEqual(read("A plumber named Joe who wants to cancel his appointment because he is ill."), [
    "goal: I want to cancel my appointment because I am ill.",
  ]);
  assert.deepEqual(read("Anna Ruiz has a broken lamp and wants it repaired."), [
    "goal: I have a broken lamp and want it repaired.",
  ]);
});

test("partsOf() omits sentences about manner", () => {
  assert.deepEqual(
    read("Be impatient. Express concern. You are in a hurry. You want a taxi. Hang up when it is booked."),
    ["goal: I want a taxi."],
  );
});

test("partsOf() says a persona without goals in order", () => {
  assert.deepEqual(read("The heating is cold."), ["goal: The heating is cold."]);
});
