import assert from "node:assert/strict";
import { test } from "node:test";
import { callModel, type ScenarioCallInput, scenarioSignature, scripted } from "../../../src/call/models/mod.ts";

const INPUT: ScenarioCallInput = {
  agent: "Lumen",
  conversation_history: [
    { role: "assistant", content: "How can I help?" },
    { role: "user", content: "Where is order A-1042?" },
  ],
  facts: [{ name: "order_number", value: "A-1042" }],
};

const answer = (name: string, persona: string) =>
  callModel(scripted({ scenario: [{ name, persona }] }), scenarioSignature, INPUT);

test("scenarioSignature accepts a short name and a persona that states every fact", async () => {
  const given = { name: "asks for an order", persona: "You are Ann. Your order is A-1042." };
  assert.deepEqual(await answer(given.name, given.persona), given);
});

test("scenarioSignature rejects a name that is blank or too long, and a persona without a fact", async () => {
  await assert.rejects(answer(" ", "A-1042"), { code: "model-output", message: /name: it is blank/ });
  await assert.rejects(answer("x".repeat(81), "A-1042"), { code: "model-output", message: /more than 80/ });
  await assert.rejects(answer("asks", "You are Ann."), { message: /it does not state order_number/ });
});

test("scenarioSignature sends the call and its facts, with what each field means", async () => {
  const model = scripted({ scenario: [{ name: "asks", persona: "You are Ann. Your order is A-1042." }] });
  await callModel(model, scenarioSignature, INPUT);
  assert.deepEqual(model.calls[0]?.input, INPUT);
  assert.deepEqual(Object.keys(scenarioSignature.input.entries), Object.keys(INPUT));
  assert.match(scenarioSignature.instructions, /^You turn a phone call that happened into a test/);
});
