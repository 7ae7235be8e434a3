import assert from "node:assert/strict";
import { test } from "node:test";
import { VapiClient } from "@vapi-ai/server-sdk";
import Retell from "retell-sdk";
import { LocalRetell } from "../../../platforms/retell/local/mod.ts";
import { serveLocally } from "../../../platforms/serving/mod.ts";
import { LocalVapi } from "../../../platforms/vapi/local/mod.ts";

const KEYS = { "key-1": "workspace-1" };

test("Retell's own SDK creates, versions, publishes and lists an agent on the local platform", async () => {
  await using server = await serveLocally(new LocalRetell({ keys: KEYS }));
  const client = new Retell({ apiKey: "key-1", baseURL: server.url, maxRetries: 0 });
  const flow = await client.conversationFlow.create({
    start_speaker: "agent",
    model_choice: { type: "cascading", model: "gpt-4.1" },
    nodes: [{ id: "a", type: "end" }],
  });
  const agent = await client.agent.create({
    voice_id: "v",
    response_engine: { type: "conversation-flow", conversation_flow_id: flow.conversation_flow_id },
  });
  await client.agent.publish(agent.agent_id, { version: agent.version });
  await assert.rejects(client.agent.update(agent.agent_id, { agent_name: "b" }), /Cannot update published agent/);
  const draft = await client.agent.createVersion(agent.agent_id, { base_version: agent.version });
  assert.equal(draft.version, 1);
  const { items } = await client.agent.list({});
  assert.deepEqual(
    items?.map(({ agent_id: id }) => id),
    [agent.agent_id],
  );
});

test("Vapi's own SDK creates, changes and lists a squad on the local platform", async () => {
  await using server = await serveLocally(new LocalVapi({ keys: KEYS }));
  const client = new VapiClient({ token: "key-1", baseUrl: server.url, maxRetries: 0 });
  const assistant = await client.assistants.create({ name: "Front desk" });
  const squad = await client.squads.create({ members: [{ assistantId: assistant.id }] });
  await client.squads.update({ id: squad.id, name: "Clinic", members: squad.members });
  const [found] = await client.squads.list();
  assert.deepEqual([found?.id, found?.name, found?.orgId], [squad.id, "Clinic", "workspace-1"]);
  await assert.rejects(client.assistants.delete({ id: assistant.id }), /assistant_pinned/);
});
