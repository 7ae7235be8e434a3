import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, importAgent, scripted } from "../../../mod.ts";
import { CLINIC as CONNECT } from "./amazon_connect/_flow.ts";
import { CLINIC as STUDIO } from "./twilio_studio/_flow.ts";

/** What the agent says until the caller answers the menu, and the nodes that the call passes. */
async function callOf(document: object, extracted: { readonly [name: string]: unknown }) {
  const { graph } = importAgent(JSON.stringify(document));
  const answers = { objectives_complete: true, transition_to: "menu answer" };
  const model = scripted({ transition: [answers], extract: [extracted] });
  const call = conversation(graph, { models: { agent: model } });
  const { spoken } = await call.open();
  await call.hear("A doctor.");
  const passed = call.transcript.flatMap(({ role, content }) =>
    role === "tool" ? [/^(.*? -> .*?):/.exec(content)?.[1]] : [],
  );
  return { spoken, passed, endReason: call.endReason };
}

const SPOKEN = ["Welcome to the clinic.", "Press 1 for an appointment, 2 for a doctor."];

test("a call on a flow of Studio says its texts, asks its menu, and takes the branch of the words", async () => {
  const { spoken, passed, endReason } = await callOf(STUDIO, { menu_SpeechResult: "doctor" });
  assert.deepEqual(spoken, SPOKEN);
  assert.deepEqual(passed, [
    "welcome -> menu",
    "menu -> menu answer",
    undefined,
    "menu answer -> choice",
    "choice -> doctor",
  ]);
  assert.equal(endReason, "agent_transferred");
});

test("a call on a flow of Connect says its texts, asks its menu, and takes the branch of the key", async () => {
  const { spoken, passed, endReason } = await callOf(CONNECT, { pressed_keys: "2" });
  assert.deepEqual(spoken, SPOKEN);
  assert.deepEqual(passed, [
    "log -> welcome",
    "welcome -> menu",
    "menu -> menu answer",
    undefined,
    "menu answer -> doctor",
  ]);
  assert.equal(endReason, "agent_transferred");
});
