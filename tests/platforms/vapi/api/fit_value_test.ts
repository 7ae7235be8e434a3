import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fault, fitModel, fitSettings, fitToolSettings } from "../../../../platforms/vapi/api/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";

function fitted(fitter: typeof fitSettings | typeof fitToolSettings, value: JsonObject) {
  const faults: Fault[] = [];
  const result = fitter(value, ["vapi"], faults);
  return { result, faults: faults.map(({ kind, at, message }) => [kind, at.slice(1).join("."), message]) };
}

test("fitModel() keeps every key that Vapi publishes for a provider, including a knowledge base", () => {
  const model = {
    provider: "openai",
    model: "a-model-of-tomorrow",
    knowledgeBase: { provider: "custom-knowledge-base", server: { url: "https://kb.example.com" } },
  };
  assert.deepEqual(fitted(fitModel, model), { result: model, faults: [] });
});

test("fitSettings() checks the types of nested values", () => {
  const voice = { provider: "azure", voiceId: "emma", speed: 9, warmth: 1 };
  const plan = { type: "verbal", message: "May we record?", voice };
  const { result, faults } = fitted(fitSettings, { compliancePlan: { recordingConsentPlan: plan } });
  const speed = { provider: "azure", voiceId: "emma", speed: 2 };
  assert.deepEqual(result, { compliancePlan: { recordingConsentPlan: { ...plan, voice: speed } } });
  const at = "compliancePlan.recordingConsentPlan.voice";
  assert.deepEqual(faults, [
    ["emulated", `${at}.speed`, `Vapi does not accept 9 for "${at}.speed"`],
    ["dropped", `${at}.warmth`, `Vapi does not know "${at}.warmth" and rejects unknown keys`],
  ]);
});

test("fitSettings() corrects aliases of providers and regions of languages", () => {
  const { result, faults } = fitted(fitSettings, {
    voice: { provider: "elevenlabs", voiceId: "sarah" },
    transcriber: { provider: "Deepgram", language: "de-AT" },
  });
  assert.deepEqual(result, {
    voice: { provider: "11labs", voiceId: "sarah" },
    transcriber: { provider: "deepgram", language: "de" },
  });
  assert.deepEqual(
    faults.map(([kind, at]) => `${kind} ${at}`),
    ["emulated voice.provider", "emulated transcriber.provider", "emulated transcriber.language"],
  );
});

test("fitToolSettings() removes a condition that is partly wrong, because the rest would reject other calls", () => {
  const right = { type: "regex", regex: "yes", target: { role: "user" } };
  const group = { type: "group", operator: "AND", conditions: [right, { type: "liquid" }] };
  const { result } = fitted(fitToolSettings, { type: "endCall", rejectionPlan: { conditions: [right, group] } });
  assert.deepEqual(result, { type: "endCall", rejectionPlan: { conditions: [right] } });
});

test("fitToolSettings() keeps the body and headers of a SIP request", () => {
  const tool = { type: "sipRequest", verb: "INFO", body: "ping", headers: { type: "object" } };
  assert.deepEqual(fitted(fitToolSettings, tool), { result: tool, faults: [] });
});

test("fitSettings() accepts each of a key's types, and lists them for any other", () => {
  assert.deepEqual(fitted(fitSettings, { voicemailDetection: "off" }).faults, []);
  assert.deepEqual(fitted(fitSettings, { startSpeakingPlan: { smartEndpointingEnabled: true } }).faults, []);
  const faults: Fault[] = [];
  fitSettings({ startSpeakingPlan: { smartEndpointingEnabled: 3 } }, ["vapi"], faults);
  assert.deepEqual(
    faults.map(({ hint }) => hint),
    ['Set one of "livekit" or true or false'],
  );
});

test("fitSettings() corrects a language that Vapi supports only in another region", () => {
  const { result, faults } = fitted(fitSettings, { transcriber: { provider: "azure", language: "en-XX" } });
  assert.deepEqual(result, { transcriber: { provider: "azure", language: "en-US" } });
  assert.deepEqual(faults, [
    ["emulated", "transcriber.language", 'Vapi does not accept "en-XX" for "transcriber.language"'],
  ]);
});
