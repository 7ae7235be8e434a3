import assert from "node:assert/strict";
import { test } from "node:test";
import { callModel, type PersonaInput, personaSignature, scripted } from "../../../src/call/models/mod.ts";

const INPUT: PersonaInput = {
  agent: "Lumen",
  moments: [{ agent_is_told: "Ask how you can help", comes_true: "You ask for an order" }],
  facts: [
    { name: "order_number", meaning: "Number of the order", value: "A-1042" },
    { name: "topic", meaning: "", value: null },
  ],
};

const answer = (persona: string) => callModel(scripted({ persona: [{ persona }] }), personaSignature, INPUT);

test("personaSignature accepts a persona that states every fact, in any case", async () => {
  const persona = "You are Ann. Your order is a-1042.";
  assert.deepEqual(await answer(persona), { persona });
});

test("personaSignature accepts a persona of 2,000 characters", async () => {
  const persona = "A-1042".padEnd(2_000, "x");
  assert.deepEqual(await answer(persona), { persona });
});

test("personaSignature rejects a persona that is blank, too long or leaves out a fact", async () => {
  await assert.rejects(answer(" "), { code: "model-output", message: /it is blank/ });
  await assert.rejects(answer("A-1042".padEnd(2_001, "x")), { code: "model-output", message: /more than 2000/ });
  await assert.rejects(answer("You are Ann."), { code: "model-output", message: /it does not state order_number/ });
});
