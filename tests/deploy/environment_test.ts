import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, flow, importAgent } from "../../mod.ts";
import { withEnvironment, withIds, withoutIds } from "../../src/deploy/target/environment.ts";
import { fingerprint } from "../../src/document/graph/mod.ts";

const desk = flow("desk", {
  variables: {},
  retell: { agent: { interruption_sensitivity: 0.5, responsiveness: 1 }, kb_config: { top_k: 3 } },
})
  .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

function emitted(graph: Parameters<typeof emit>[0], format: "retell" | "retell-llm" | "vapi-squad" | "vapi-assistant") {
  return JSON.parse(emit(graph, format).text);
}

test("withEnvironment() puts the voice of the environment into the documents of both platforms", () => {
  const voice = { retell: "11labs-Adrian", vapi: { provider: "11labs", voiceId: "sarah" } };
  const staging = withEnvironment(desk, { voice });
  for (const format of ["retell", "retell-llm"] as const)
    assert.equal(emitted(staging, format).voice_id, "11labs-Adrian");
  assert.deepEqual(emitted(staging, "vapi-squad").membersOverrides.voice, voice.vapi);
  assert.deepEqual(emitted(staging, "vapi-assistant").voice, voice.vapi);
});

test("withEnvironment() replaces the voice of an imported agent, whatever its platform", () => {
  for (const format of ["retell", "retell-llm"] as const) {
    const { graph } = importAgent(JSON.stringify({ ...emitted(desk, format), voice_id: "old" }));
    assert.equal(emitted(graph, format).voice_id, "old");
    assert.equal(emitted(withEnvironment(graph, { voice: { retell: "new" } }), format).voice_id, "new");
  }
  const old = { provider: "11labs", voiceId: "old" };
  const { graph } = importAgent(JSON.stringify({ ...emitted(desk, "vapi-assistant"), voice: old }));
  const voice = { provider: "11labs", voiceId: "new" };
  assert.deepEqual(emitted(withEnvironment(graph, { voice: { vapi: voice } }), "vapi-assistant").voice, voice);
});

test("withEnvironment() merges platform settings key by key, and leaves those that it does not name", () => {
  const settings = { retell: { agent: { responsiveness: 0.2, webhook_url: "https://staging.example.com" } } };
  const { responsiveness, interruption_sensitivity, webhook_url, conversationFlow } = emitted(
    withEnvironment(desk, settings),
    "retell",
  );
  assert.deepEqual(
    [responsiveness, interruption_sensitivity, webhook_url, conversationFlow.kb_config.top_k],
    [0.2, 0.5, "https://staging.example.com", 3],
  );
  const named = withEnvironment(desk, { vapi: { name: "desk (staging)" } });
  assert.equal(emitted(named, "vapi-squad").name, "desk (staging)");
});

test("withEnvironment() sets default values of variables beside those of the flow", () => {
  const { source_metadata } = withEnvironment(
    {
      ...desk,
      source_metadata: { ...desk.source_metadata, default_dynamic_variables: { city: "Bonn", day: "today" } },
    },
    { variables: { city: "Ulm" } },
  );
  assert.deepEqual(source_metadata.default_dynamic_variables, { city: "Ulm", day: "today" });
});

test("withEnvironment() returns the same graph when nothing differs, and never changes the given one", () => {
  const before = JSON.stringify(desk);
  assert.equal(withEnvironment(desk, {}), desk);
  assert.equal(withEnvironment(desk, { numbers: ["+14155550123"], acceptLosses: ["snippet"], ids: { a: "b" } }), desk);
  const other = withEnvironment(desk, { variables: { city: "Ulm" } });
  assert.notEqual(fingerprint(other), fingerprint(desk));
  assert.equal(JSON.stringify(desk), before);
});

test("withIds() replaces texts that are an id of the workspace, and withoutIds() takes that back", () => {
  const ids = { kb_staging: "kb_live", tool_a: "tool_b" };
  const document = {
    knowledge_base_ids: ["kb_staging", "kb_other"],
    tool: { id: "tool_a" },
    prompt: "Use kb_staging.",
  };
  const live = withIds(document, ids);
  assert.deepEqual(live, {
    knowledge_base_ids: ["kb_live", "kb_other"],
    tool: { id: "tool_b" },
    prompt: "Use kb_staging.",
  });
  assert.deepEqual(withoutIds(live, ids), document);
  assert.equal(withIds(document), document);
});
