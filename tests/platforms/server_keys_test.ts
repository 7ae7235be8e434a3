import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../platforms/mod.ts";
import { vapiFaults } from "../../platforms/vapi/local/server.ts";

test("emit() reports no loss of keys that Vapi's server adds to an assistant", () => {
  const assistant = {
    id: "a-1",
    orgId: "o-1",
    createdAt: "2026-01-02T03:04:05.000Z",
    updatedAt: "2026-01-02T03:04:05.000Z",
    name: "Desk",
    latestVersion: "v3",
    analyticsMetadata: { team: "north" },
    isDeleted: false,
    isServerUrlSecretSet: false,
    workflowIds: ["w-1"],
    model: { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Answer the phone." }] },
  };
  const { losses } = emit(importAgent(assistant, { format: "vapi-assistant" }).graph, "retell");
  assert.deepEqual(losses, []);
});

test("the local Vapi rejects each read-only key once", () => {
  assert.deepEqual(vapiFaults("assistant", { workflowIds: [] }, ["workflowIds"], true), [
    "property workflowIds should not exist",
  ]);
});
