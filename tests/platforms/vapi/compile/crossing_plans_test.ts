import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { json, records } from "./graphs.ts";

/** Emits an assistant as a squad; returns a setting of its member, and the losses. */
function crossed(settings: JsonObject): { member: JsonObject; losses: readonly string[] } {
  const model = { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Hi" }] };
  const { graph } = importAgent({ name: "Desk", model, ...settings }, { format: "vapi-assistant" });
  const { config, losses } = emit(graph, "vapi-squad");
  const assistant = records(json(config), "members")[0]?.assistant;
  assert.ok(isRecord(assistant));
  const start = ["nodes", "Desk", "metadata", "vapi", "home", "assistant"].length;
  return { member: assistant, losses: losses.map(({ code, path }) => `${code} ${path.slice(start).join(".")}`) };
}

test("voicemail detection has only values that its provider accepts", () => {
  const plan = { provider: "twilio", enabled: true, machineDetectionTimeout: 90, voicemailDetectionTimeout: 3 };
  const twilio = crossed({ voicemailDetection: plan });
  assert.deepEqual(twilio.member.voicemailDetection, {
    provider: "twilio",
    enabled: true,
    machineDetectionTimeout: 59,
    voicemailDetectionTimeout: 3,
  });
  assert.deepEqual(twilio.losses, ["setting-corrected voicemailDetection.machineDetectionTimeout"]);
  const heard = { provider: "Vapi", beepMaxAwaitSeconds: 0, backoffPlan: { frequencySeconds: 1, maxRetries: 6 } };
  assert.deepEqual(crossed({ voicemailDetection: heard }).member.voicemailDetection, {
    provider: "vapi",
    beepMaxAwaitSeconds: 0,
    backoffPlan: { frequencySeconds: 2.5, maxRetries: 6 },
  });
  assert.deepEqual(crossed({ voicemailDetection: "off" }).member.voicemailDetection, "off");
  assert.deepEqual(crossed({ voicemailDetection: { provider: "acme" } }).losses, [
    "setting-dropped voicemailDetection.provider",
  ]);
});

test("configurations of transports have only settings that Vapi accepts", () => {
  const { member, losses } = crossed({
    transportConfigurations: [{ provider: "twilio", timeout: 900, record: true }, { provider: "pigeon" }],
  });
  assert.deepEqual(member.transportConfigurations, [{ provider: "twilio", timeout: 600, record: true }]);
  assert.deepEqual(losses, [
    "setting-corrected transportConfigurations.0.timeout",
    "setting-dropped transportConfigurations.1.provider",
    "setting-dropped transportConfigurations.1",
  ]);
});

test("schemas of analysis plans keep the keywords that Vapi supports", () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    properties: { day: { type: "string", minLength: 1 }, rank: { type: "integer", enum: [1, 2] } },
  };
  const { member, losses } = crossed({ analysisPlan: { structuredDataPlan: { enabled: true, schema } } });
  assert.deepEqual(member.analysisPlan, {
    structuredDataPlan: {
      enabled: true,
      schema: {
        type: "object",
        properties: { day: { type: "string" }, rank: { type: "string", enum: ["1", "2"] } },
      },
    },
  });
  assert.deepEqual(losses, ["setting-dropped analysisPlan.structuredDataPlan.schema"]);
});

test("schemas of a tool that a hook calls keep the keywords that Vapi supports", () => {
  const body = { type: "object", properties: { why: { type: "string", maxLength: 5 } } };
  const tool = { type: "apiRequest", method: "POST", url: "https://example.com", body };
  const hook = { on: "call.ending", do: [{ type: "tool", tool }] };
  const { member, losses } = crossed({ hooks: [hook] });
  const kept = { type: "object", properties: { why: { type: "string" } } };
  assert.deepEqual(member.hooks, [{ ...hook, do: [{ type: "tool", tool: { ...tool, body: kept } }] }]);
  assert.deepEqual(losses, ["setting-dropped hooks.0.do.0.tool.body"]);
});

test("the voice of a recording consent plan has only values that its provider accepts", () => {
  const voice = { provider: "11labs", voiceId: "bella", chunkPlan: { punctuationBoundaries: "." }, tune: 1 };
  const { member, losses } = crossed({
    compliancePlan: { recordingConsentPlan: { type: "stay-on-line", message: "Recorded.", waitSeconds: 9, voice } },
  });
  assert.deepEqual(member.compliancePlan, {
    recordingConsentPlan: {
      type: "stay-on-line",
      message: "Recorded.",
      waitSeconds: 6,
      voice: { provider: "11labs", voiceId: "bella", chunkPlan: {}, tune: 1 },
    },
  });
  const plan = "compliancePlan.recordingConsentPlan";
  assert.deepEqual(losses, [
    `setting-corrected ${plan}.waitSeconds`,
    `setting-dropped ${plan}.voice.chunkPlan.punctuationBoundaries`,
  ]);
});
