import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { redact } from "../../../src/base/redaction/mod.ts";
import { conversation } from "../../../src/call/engine/mod.ts";
import { argumentsSignature, extractSignature } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { startChatServer } from "../../chat_server.ts";

test("requests start and end with the caller's side, and have no empty message", async () => {
  await using server = await startChatServer(() => ({ say: "Hello." }));
  const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a", source_metadata: {} });
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const call = conversation(graph, { models: { agent } });
  await call.open();
  await call.hear("");
  for (const { messages } of server.requests) {
    const roles = messages.map(({ role }) => role);
    assert.deepEqual([roles[0], roles[1], roles.at(-1)], ["system", "user", "user"]);
    assert.ok(messages.every(({ content }) => content?.trim()));
  }
});

test("requests alternate between the two sides, whatever notes are added", async () => {
  const answers = [{ call: { name: "look", arguments: {} } }, { say: " " }, { say: "It is there." }, { say: "Bye." }];
  await using server = await startChatServer((_request, index) => answers[index] ?? { say: "Well." });
  const graph = parseGraph({
    nodes: {
      a: {
        instruction_type: "static_text",
        state_prompt: "Hello.",
        tools: [{ name: "look", description: "" }],
        transitions: [{ target_node_id: "b", condition: { type: "always" }, timing: "skip_response" }],
      },
      b: {
        instruction_type: "static_text",
        state_prompt: "How can I help?",
        tools: [{ name: "look", description: "" }],
      },
    },
    entry_node_id: "a",
    source_metadata: {},
  });
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const call = conversation(graph, { models: { agent }, tools: { look: () => "there" } });
  await call.open();
  call.steer("Be brief.");
  await call.hear("Where is it?");
  call.steer("Say goodbye.");
  await call.hear("Thanks");
  const sent = server.requests.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
  assert.deepEqual(sent[0]?.slice(1), [
    'user: {"event":"The call is connected. You speak first."}',
    "assistant: Hello.\n\nHow can I help?",
    "user: Where is it?",
  ]);
  assert.match(sent[0]?.[0] ?? "", /^system: [\s\S]*\n \{"direction":"Be brief\."\}\n\]$/);
  for (const { messages } of server.requests) {
    const roles = messages.map(({ role }) => role);
    assert.deepEqual(
      roles.filter((role, index) => role === roles[index - 1]),
      [],
    );
  }
  assert.equal(server.requests.length, 4);
});

test("schemas have type object and no duplicate names", () => {
  const tool = { name: "pay", description: "", parameters: { properties: { sum: { type: "number" } } } };
  const given = { instructions: "", conversation_history: [] };
  assert.equal(argumentsSignature.output({ ...given, tool, variables: {} }).schema.type, "object");
  const city = { name: "city", description: "", type: "string", choices: ["Ulm", "Ulm"] };
  const { schema } = extractSignature.output({ ...given, variables: [city, city] });
  assert.deepEqual(schema.required, ["city"]);
  assert.deepEqual(schema.properties, { city: { type: ["string", "null"], enum: ["Ulm", null] } });
});

test("a key that starts like another is redacted completely", () => {
  env.CANARY_A_KEY = "canary-5511";
  env.CANARY_B_KEY = "canary-5511-and-more";
  try {
    assert.equal(redact("with canary-5511-and-more"), "with [CANARY_B_KEY]");
  } finally {
    delete env.CANARY_A_KEY;
    delete env.CANARY_B_KEY;
  }
});
