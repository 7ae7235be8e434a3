import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { fc } from "../../../properties.ts";
import { at, json, records } from "./graphs.ts";
import { corpus, hasShared, validators, WITHOUT_SHARED, withoutUnknown } from "./vapi_schema.ts";

/** Compiled once, before the tests, so that it does not count towards their timeouts. */
const schemas = hasShared ? validators() : undefined;

/** A squad with every example value of Vapi's documentation, including nested tools of hooks. */
const MADE_OF_EXAMPLES = ["bssoufo__vapi-tool-for-ange__squad.model.json"];

const BARE = {
  name: "Desk",
  model: { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Hi" }] },
};

/** Emits an assistant as a squad; returns its member and the losses. */
function crossed(settings: JsonObject): { member: JsonObject; losses: readonly string[] } {
  const { graph } = importAgent(JSON.stringify({ ...BARE, ...settings }), { format: "vapi-assistant" });
  const { config, losses } = emit(graph, "vapi-squad");
  const [member] = records(json(config), "members");
  const start = ["nodes", "Desk", "metadata", "vapi", "home", "assistant"];
  const paths = losses.map(({ code, path }) => `${code} ${path.slice(isRecord(member) ? start.length : 0).join(".")}`);
  const assistant = member?.assistant;
  assert.ok(isRecord(assistant));
  if (schemas)
    assert.ok(schemas.squad(withoutUnknown("squad", json(config))), JSON.stringify(schemas.squad.errors?.[0]));
  return { member: assistant, losses: paths };
}

test("aliases of providers become Vapi's names", () => {
  for (const provider of ["elevenlabs", "eleven-labs", "ElevenLabs", "11Labs"]) {
    const { member, losses } = crossed({ voice: { provider, voiceId: "v" } });
    assert.deepEqual(member.voice, { provider: "11labs", voiceId: "v" });
    assert.deepEqual(losses, ["setting-corrected voice.provider"]);
  }
  const { member } = crossed({ transcriber: { provider: "assemblyai" }, voice: { provider: "play.ht", voiceId: "v" } });
  assert.deepEqual(
    [member.transcriber, member.voice],
    [{ provider: "assembly-ai" }, { provider: "playht", voiceId: "v" }],
  );
});

test("a voice of an unknown provider, or without required keys, is removed", () => {
  const unknown = crossed({ voice: { provider: "acme", voiceId: "v" } });
  assert.equal(unknown.member.voice, undefined);
  assert.deepEqual(unknown.losses, ["setting-dropped voice.provider"]);
  const nameless = crossed({ voice: { provider: "cartesia", speed: 1 } });
  assert.equal(nameless.member.voice, undefined);
  assert.deepEqual(nameless.losses, ["setting-dropped voice.speed", "setting-dropped voice"]);
});

test("values that a provider does not accept are removed, numbers are clamped, and keys are kept", () => {
  const { member, losses } = crossed({
    voice: { provider: "11labs", voiceId: "v", stability: 3, style: "loud", modelId: "m" },
    transcriber: { provider: "deepgram", endpointing: 900, keywords: ["Desk:2", "two words"] },
    maxDurationSeconds: 1,
  });
  assert.deepEqual(member.voice, { provider: "11labs", voiceId: "v", stability: 1, modelId: "m" });
  assert.deepEqual(member.transcriber, { provider: "deepgram", endpointing: 500, keywords: ["Desk:2"] });
  assert.equal(member.maxDurationSeconds, 10);
  assert.deepEqual([...losses].sort(), [
    "setting-corrected maxDurationSeconds",
    "setting-corrected transcriber.endpointing",
    "setting-corrected voice.stability",
    "setting-dropped transcriber.keywords.1",
    "setting-dropped voice.style",
  ]);
});

test("a language that a provider does not support becomes the nearest one or is removed", () => {
  const language = (provider: string, wanted: string) => {
    const { member, losses } = crossed({ transcriber: { provider, language: wanted } });
    return [at(member, "transcriber").language, losses.length];
  };
  assert.deepEqual(language("deepgram", "en-GB"), ["en-GB", 0]);
  assert.deepEqual(language("11labs", "en-GB"), ["en", 1]);
  assert.deepEqual(language("azure", "de"), ["de-DE", 1]);
  assert.deepEqual(language("assembly-ai", "hi"), [undefined, 1]);
});

test("keys that the published schema lacks are kept in Vapi's other format", () => {
  const newer = {
    backgroundDenoisingEnabled: true,
    silenceTimeoutSeconds: 20,
    compliancePlan: { zdrEnabled: false },
    voice: { provider: "deepgram", voiceId: "v", fallbackPlan: { voices: [] }, newKey: { a: [1] } },
  };
  const { member, losses } = crossed(newer);
  for (const [key, value] of Object.entries(newer)) assert.deepEqual(member[key], value, key);
  assert.deepEqual(losses, []);
});

test("fallbacks follow the same rules", () => {
  const { member } = crossed({
    voice: {
      provider: "openai",
      voiceId: "alloy",
      fallbackPlan: {
        voices: [
          { provider: "elevenlabs", voiceId: "v" },
          { provider: "acme", voiceId: "v" },
        ],
      },
    },
  });
  assert.deepEqual(at(member, "voice").fallbackPlan, { voices: [{ provider: "11labs", voiceId: "v" }] });
});

test("a model of an unknown provider is requested through OpenRouter", () => {
  const { member, losses } = crossed({ model: { provider: "mistral", model: "large", temperature: 0.5, topP: 1 } });
  assert.deepEqual(
    [at(member, "model").provider, at(member, "model").model, at(member, "model").temperature],
    ["openrouter", "mistral/large", 0.5],
  );
  assert.equal(at(member, "model").topP, 1);
  assert.ok(losses.includes("setting-corrected model.provider"));
});

test("an edit of the graph's model is emitted in the other format", () => {
  const { graph } = importAgent(JSON.stringify(BARE), { format: "vapi-assistant" });
  const { config } = emit({ ...graph, default_model: "anthropic/claude-sonnet-4-6" }, "vapi-squad");
  const [member] = records(json(config), "members");
  assert.equal(at(member, "assistant", "model").provider, "anthropic");
  assert.equal(at(member, "assistant", "model").model, "claude-sonnet-4-6");
});

test("a transfer's destinations have a valid type and the required keys", () => {
  const destinations = [
    { type: "number", number: "+4930123456", label: "desk" },
    { type: "phone", number: "+4930123457" },
    { type: "pigeon", number: "+4930123458" },
    { type: "assistant", assistantId: "a" },
  ];
  const { member, losses } = crossed({ model: { ...BARE.model, tools: [{ type: "transferCall", destinations }] } });
  const [tool] = records(member, "model", "tools");
  assert.deepEqual(tool?.destinations, [
    { type: "number", number: "+4930123456" },
    { type: "number", number: "+4930123457" },
  ]);
  assert.equal(losses.length, 5);
});

test("tool ids, metadata and the server are emitted in the other format", () => {
  const { member, losses } = crossed({
    model: { ...BARE.model, toolIds: ["t"] },
    metadata: { team: "desk" },
    serverUrl: "https://example.com/vapi",
  });
  assert.deepEqual(at(member, "model").toolIds, ["t"]);
  assert.equal(at(member, "metadata").team, "desk");
  assert.deepEqual(member.server, { url: "https://example.com/vapi" });
  assert.deepEqual(losses, ["setting-corrected serverUrl"]);
});

test("overrides apply when a squad becomes an assistant", () => {
  const squad = {
    members: [
      {
        assistant: { ...BARE, voice: { provider: "vapi", voiceId: "Elliot" } },
        assistantOverrides: { endCallMessage: "Bye" },
      },
    ],
    membersOverrides: { voice: { provider: "openai", voiceId: "alloy" } },
  };
  const { graph } = importAgent(JSON.stringify(squad), { format: "vapi-squad" });
  const config = json(emit(graph, "vapi-assistant").config);
  assert.deepEqual(at(config).voice, { provider: "openai", voiceId: "alloy" });
  assert.equal(at(config).endCallMessage, "Bye");
});

test("a document that is emitted in its original format is not changed", () => {
  const odd = { ...BARE, voice: { provider: "acme", tone: 9 }, transcriber: { provider: "elevenlabs" }, oldKey: 1 };
  const { graph } = importAgent(JSON.stringify(odd), { format: "vapi-assistant" });
  assert.deepEqual(emit(graph, "vapi-assistant"), { config: odd, text: JSON.stringify(odd), losses: [] });
});

test("every setting is emitted, or corrected or removed with a loss", () => {
  const settings = fc.constantFrom("voice", "transcriber", "server", "hooks", "analysisPlan", "endCallPhrases", "old");
  // Vapi ignores null, too
  const saying = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("null"));
  fc.assert(
    fc.property(settings, saying, (key, value) => {
      const { member, losses } = crossed({ [key]: value });
      const isKept = JSON.stringify(member[key]) === JSON.stringify(value);
      assert.ok(isKept || losses.length > 0, `${key}: ${JSON.stringify(value)}`);
    }),
    { numRuns: 300 },
  );
});

test("published assistants and squads are valid by Vapi's schemas in the other format", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  let count = 0;
  for (const folder of ["vapi", "voicetest/vapi"])
    for (const { name, graph } of corpus(folder, []))
      for (const format of ["vapi-squad", "vapi-assistant"] as const) {
        if (graph.source_type === format || MADE_OF_EXAMPLES.includes(name)) continue;
        const kind = format === "vapi-squad" ? "squad" : "assistant";
        const { [kind]: check } = schemas;
        assert.ok(
          check(withoutUnknown(kind, json(emit(graph, format).config))),
          `${name} as ${format}: ${JSON.stringify(check.errors?.[0])}`,
        );
        count++;
      }
  t.diagnostic(`${count} documents`);
});

test("missing keys of a document are not a loss", () => {
  const bare = { entry_node_id: "greet", nodes: { greet: { state_prompt: "Greet the caller." } } };
  const { graph } = importAgent(JSON.stringify(bare));
  for (const format of ["vapi-squad", "vapi-assistant"]) assert.deepEqual(emit(graph, format).losses, []);
  const kept = { ...graph, source_metadata: { ...graph.source_metadata, elsewhere: { a: 1 } } };
  assert.match(String(emit(kept, "vapi-squad").losses[0]?.message), /settings under "elsewhere" \(a\)$/);
});
