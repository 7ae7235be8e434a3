import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import type { Finding } from "../../../src/document/graph/mod.ts";
import * as fc from "../../fast_check.ts";
import { createAll, startLocal } from "./_deploy_document.ts";

const MODEL = { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: "Help." }] };

/** A squad of two assistants, the second of which has the given settings: inline, or with the assistants beside it. */
function spellings(settings: JsonObject, overrides: JsonObject = {}): readonly JsonObject[] {
  const handoff = {
    type: "handoff",
    function: { name: "handoff_to_two" },
    destinations: [{ type: "assistant", assistantName: "Two", description: "Caller is a person" }],
  };
  const one = { name: "One", model: MODEL };
  const two = { name: "Two", model: MODEL, ...settings };
  const first = { "tools:append": [handoff] };
  const inline = [
    { assistant: one, assistantOverrides: first },
    { assistant: two, assistantOverrides: overrides },
  ];
  const named = [
    { assistantId: "one", assistantOverrides: first },
    { assistantId: "two", assistantOverrides: overrides },
  ];
  const assistants = [
    { id: "one", ...one },
    { id: "two", ...two },
  ];
  return [
    { name: "Desk", members: inline },
    { squad: { name: "Desk", members: named }, assistants },
  ];
}

const told = (findings: readonly Finding[]) =>
  findings
    .filter(({ code }) => ["unknown-key", "refused-value", "number-range"].includes(code))
    .map(({ code, severity, path }) => `${severity} ${code} ${path.join(".")}`)
    .sort();

/** What a platform that follows its published schema answers to the document; `undefined` if it accepts it. */
async function refusal(document: unknown, format: string): Promise<string | undefined> {
  const { config } = emit(importAgent(document, { format }).graph, format);
  const local = startLocal(format.startsWith("vapi") ? "vapi" : "retell", { strictSchema: true });
  try {
    await createAll(local, config);
  } catch (error) {
    if (isCallweaveError(error)) return error.message;
    throw error;
  }
  return undefined;
}

test("check() finds the same in every spelling of a squad: nested keys, choices, ranges, keys of members and overrides", () => {
  const cases: readonly (readonly [settings: JsonObject, wanted: readonly string[], overrides?: JsonObject])[] = [
    [{ unknownThing: 1 }, ["warning unknown-key nodes.Two.assistant.unknownThing"]],
    [{ silenceTimeoutSeconds: 15 }, ["warning unknown-key nodes.Two.assistant.silenceTimeoutSeconds"]],
    [{ compliancePlan: { zdrEnabled: true } }, ["warning unknown-key nodes.Two.assistant.compliancePlan.zdrEnabled"]],
    [
      { model: { ...MODEL, systemPrompt: "x" }, voice: { provider: "11labs", voiceId: "a", mood: 1 } },
      [
        "warning unknown-key nodes.Two.assistant.model.systemPrompt",
        "warning unknown-key nodes.Two.assistant.voice.mood",
      ],
    ],
    [
      { keypadInputPlan: { enabled: true, delimiters: ["#", "*"] }, firstMessageMode: "assistant-shouts" },
      [
        "warning refused-value nodes.Two.assistant.firstMessageMode",
        "warning refused-value nodes.Two.assistant.keypadInputPlan.delimiters",
      ],
    ],
    [{ maxDurationSeconds: 1 }, ["error number-range nodes.Two.assistant.maxDurationSeconds"]],
    [
      {},
      ["warning unknown-key nodes.Two.assistantOverrides.voice.mood"],
      { voice: { provider: "openai", voiceId: "alloy", mood: 1 } },
    ],
  ];
  for (const [settings, wanted, overrides] of cases)
    for (const document of spellings(settings, overrides))
      assert.deepEqual(told(check(importAgent(document).graph)), wanted, JSON.stringify(settings));
});

test("a key that the published schema lacks is told with the schema's day, and written back as it was", () => {
  for (const document of spellings({ silenceTimeoutSeconds: 15, firstMesage: "Hi" })) {
    const { graph } = importAgent(document);
    assert.deepEqual(emit(graph, "vapi-squad").config, document);
    const [typo, old] = check(graph)
      .filter(({ code }) => code === "unknown-key")
      .sort((a, b) => ((a.hint ?? "") < (b.hint ?? "") ? -1 : 1));
    assert.equal(typo?.hint, 'Did you mean "firstMessage"?');
    assert.match(old?.message ?? "", /^"silenceTimeoutSeconds" is not in Vapi's published schema of \d{4}-\d\d-\d\d$/);
  }
});

/** Settings that the published schema does not allow, at several depths. */
const WRONG = fc.constantFrom<JsonObject>(
  { invented: 1 },
  { voice: { provider: "11labs", voiceId: "a", stability: 2 } },
  { voice: { provider: "nobody", voiceId: "a" } },
  { voice: { provider: "cartesia" } },
  { transcriber: { provider: "deepgram", language: "tlh" } },
  { hooks: [{ on: "call.ending", do: [{ type: "shout" }] }] },
  { endCallPhrases: ["a"] },
  { firstMessage: 3 },
  { maxDurationSeconds: 1e9 },
  { analysisPlan: { summaryPlan: { enabled: "yes" } } },
  { model: { ...MODEL, tools: [{ type: "function", function: { name: "look up" } }] } },
  { model: { ...MODEL, tools: [{ type: "function", function: { name: "a" }, colour: 1 }] } },
  { model: { ...MODEL, temperature: 9 } },
  { model: { provider: "openai", messages: [] } },
  { startSpeakingPlan: { waitSeconds: 99 } },
);

test("check() tells of everything that the platform refuses by its published schema, in every spelling", async () => {
  const settings = fc.array(WRONG, { maxLength: 3 }).map((parts): JsonObject => Object.assign({}, ...parts));
  await fc.assert(
    fc.asyncProperty(settings, async (wrong) => {
      for (const document of [...spellings(wrong), { name: "Two", model: MODEL, ...wrong }]) {
        const { graph, format } = importAgent(document);
        const refused = await refusal(document, format);
        const findings = check(graph).filter(({ severity }) => severity !== "info");
        if (refused === undefined) assert.deepEqual(wrong, {});
        else assert.ok(findings.length > 0, `${refused}: ${JSON.stringify(document)}`);
      }
    }),
    { numRuns: 60 },
  );
});

const FLOW = {
  start_node_id: "ask",
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    {
      id: "ask",
      type: "conversation",
      instruction: { type: "prompt", text: "Ask." },
      edges: [
        { id: "e", destination_node_id: "bye", transition_condition: { type: "prompt", prompt: "Caller is done" } },
      ],
    },
    { id: "bye", type: "end" },
  ],
};

test("Retell: a key that the published schema lacks is a warning at any depth, is kept, and is refused with strictSchema", async () => {
  const [ask, bye] = FLOW.nodes;
  const cases: readonly (readonly [document: JsonObject, path: string])[] = [
    [{ ...FLOW, invented: 1 }, "invented"],
    [{ ...FLOW, nodes: [{ ...ask, invented: 1 }, bye] }, "nodes.ask.invented"],
    [{ ...FLOW, nodes: [{ ...ask, edges: [{ ...ask?.edges?.[0], invented: 1 }] }, bye] }, "nodes.ask.edges.0.invented"],
    [{ ...FLOW, model_choice: { ...FLOW.model_choice, invented: 1 } }, "model_choice.invented"],
    [{ conversationFlow: FLOW, voice_id: "a", voiceModel: "x" }, "agent.voiceModel"],
    [
      { general_prompt: "Hi", general_tools: [{ type: "end_call", name: "end", invented: 1 }] },
      "general_tools.0.invented",
    ],
  ];
  for (const [document, path] of cases) {
    const { graph, format } = importAgent(document);
    const found = check(graph).filter(({ code }) => code === "unknown-key");
    assert.deepEqual(
      found.map((each) => [each.severity, each.path.join(".")]),
      [["warning", path]],
    );
    assert.match(found[0]?.message ?? "", / is not in Retell's published schema of \d{4}-\d\d-\d\d$/);
    assert.deepEqual(emit(graph, format).config, document);
    assert.match((await refusal(document, format)) ?? "", /is not a known key/);
    await createAll(startLocal("retell"), document);
  }
  assert.equal(await refusal(FLOW, "retell"), undefined);
});
