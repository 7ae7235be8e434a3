import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { addressOf, type RemoteResource } from "../../../platforms/deploying/mod.ts";
import { emit } from "../../../platforms/mod.ts";
import type { PlatformClient } from "../../../src/base/http/mod.ts";
import { type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import { ANY } from "../../base/http/connection.ts";
import { createAll, type Local, readBack, startLocal } from "./_deploy_document.ts";

const NUMBER = { kind: "phone-number", id: "+14155550100", workspace: "workspace-1", body: { nickname: "Main" } };

const COMPONENT = {
  conversation_flow_component_id: "of_another_workspace",
  name: "Identify",
  nodes: [{ id: "x", type: "end" }],
};

/** An agent whose flow runs a component that other flows can run, too. */
function sharing(): JsonObject {
  const node = {
    id: "identify",
    type: "component",
    component_id: "of_another_workspace",
    component_type: "shared",
    else_edge: { id: "e", transition_condition: { type: "prompt", prompt: "Else" } },
  };
  const talk = { id: "a", type: "conversation", instruction: { type: "prompt", text: "Speak." }, edges: [] };
  const local = { conversation_flow_component_id: "local-1", name: "Local", nodes: [{ id: "y", type: "end" }] };
  const model_choice = { type: "cascading", model: "gpt-4.1" };
  const flow = { start_speaker: "agent", model_choice, nodes: [talk, node], components: [local, COMPONENT] };
  return { voice_id: "v", agent_name: "Clinic", conversationFlow: flow };
}

async function agentOf({ adapter, client }: Local, id: string | undefined): Promise<RemoteResource> {
  const found = (await adapter.read(client, { agent: id ?? "" })).find(({ kind }) => kind === "agent");
  assert.ok(found);
  return found;
}

test("a component that flows share is a resource of its own, written before the flow, which names it by its id", async () => {
  const local = startLocal("retell");
  const addresses = local.adapter.split(sharing()).map(addressOf);
  assert.deepEqual(addresses, ["conversation-flow-component:Identify", "conversation-flow", "agent"]);
  const ids = await createAll(local, sharing());
  const id = ids["conversation-flow-component:Identify"];
  const [flow] = (await local.adapter.read(local.client, ids)).filter(({ kind }) => kind === "conversation-flow");
  const text = JSON.stringify(flow?.body);
  assert.ok(
    text.includes(`"component_id":"${id}"`) && text.includes("local-1") && !text.includes("of_another_workspace"),
  );

  const read = recordAt({ read: await readBack(local, ids) }, "read");
  const { components } = recordAt(read, "conversationFlow");
  const names = (Array.isArray(components) ? components : []).map(({ name }) => name);
  assert.deepEqual(names, ["Local", "Identify"]);
});

test("find() gives the addresses of an agent, its engine and its components, from the agent's id alone", async () => {
  const local = startLocal("retell");
  const ids = await createAll(local, sharing());
  assert.deepEqual(await local.adapter.find(local.client, ids.agent ?? ""), ids);
  const flow = omit({ ...ids }, ["agent"]);
  assert.deepEqual(await local.adapter.find(local.client, ids["conversation-flow"] ?? ""), flow);
  await assert.rejects(local.adapter.find(local.client, "agent_9"), { code: "platform-missing" });
});

test("a flow without an agent around it, and a component alone, are deployed as what they are", async () => {
  const local = startLocal("retell");
  const { conversationFlow } = sharing();
  const bare = recordAt({ conversationFlow }, "conversationFlow");
  assert.deepEqual(Object.keys(await createAll(local, bare)), [
    "conversation-flow-component:Identify",
    "conversation-flow",
  ]);
  const ids = await createAll(local, COMPONENT);
  assert.deepEqual(Object.keys(ids), ["conversation-flow-component"]);
  const read = recordAt({ read: await readBack(local, ids) }, "read");
  assert.equal(recordAt(read, "conversationFlow").name, "Identify");
});

test("a document without an agent of Retell's is refused before anything is written", () => {
  const { adapter } = startLocal("retell");
  for (const document of [{}, { members: [] }, { voice_id: "v" }, "text", undefined])
    assert.throws(() => adapter.split(document), { code: "not-deployable" });
});

test("an update of a published agent goes to a new draft, and what calls use stays until it is published", async () => {
  const local = startLocal("retell");
  const { adapter, client } = local;
  const ids = await createAll(local, emit(helpDesk, "retell").config);
  const written = await adapter.read(client, ids);
  await adapter.publish?.(client, written);
  const published = await adapter.read(client, ids);
  assert.ok(published.every(({ isPublished }) => isPublished));
  assert.ok(adapter.prepare);
  const drafts = await adapter.prepare(client, published, published);
  assert.deepEqual(
    drafts.map(({ kind, version, isPublished }) => [kind, version, isPublished]),
    [
      ["conversation-flow", 1, false],
      ["agent", 1, false],
    ],
  );
  const [flow] = drafts;
  assert.ok(flow);
  const body = { ...flow.body, global_prompt: "Be brief." };
  await adapter.write(client, { ...flow, body }, { remote: flow, written: new Map() });
  const old = await client.send({
    method: "GET",
    path: `/get-conversation-flow/${flow.id}`,
    query: { version: 0 },
    about: "flow",
    answer: ANY,
  });
  assert.notEqual(recordAt({ old }, "old").global_prompt, "Be brief.");
  assert.deepEqual(await adapter.prepare(client, drafts, drafts), drafts);
  await adapter.publish?.(client, await adapter.read(client, ids));
  assert.deepEqual((await agentOf(local, ids.agent)).isPublished, true);
});

test("an update sends only the keys that differ, and nothing where nothing differs", async () => {
  const local = startLocal("retell");
  const ids = await createAll(local, emit(helpDesk, "retell").config);
  const flow = (await local.adapter.read(local.client, ids)).find(({ kind }) => kind === "conversation-flow");
  assert.ok(flow);
  const sent: unknown[] = [];
  const client: PlatformClient = {
    ...local.client,
    send: (request) => {
      sent.push(request.body);
      return local.client.send(request);
    },
  };
  const write = (body: JsonObject) =>
    local.adapter.write(client, { ...flow, body }, { remote: flow, written: new Map() });
  assert.equal(await write(flow.body), flow);
  await write({ ...omit(flow.body, ["kb_config"]), global_prompt: "Be brief." });
  assert.deepEqual(sent, [{ global_prompt: "Be brief.", kb_config: null }]);
});

test("list() reads all pages, and every resource once", async () => {
  const local = startLocal("retell", { maxPage: 2 });
  for (let count = 0; count < 5; count++) await createAll(local, emit(helpDesk, "retell").config);
  const agents = await local.adapter.list(local.client, "agent");
  assert.equal(new Set(agents.map(({ id }) => id)).size, 5);
  assert.equal((await local.adapter.list(local.client, "conversation-flow")).length, 5);
});

test("a phone number is pointed to one version of an agent, and its other settings stay", async () => {
  const local = startLocal("retell", { stored: [NUMBER] });
  const { numbers } = local.adapter;
  const ids = await createAll(local, emit(helpDesk, "retell").config);
  const [number] = await numbers.list(local.client);
  assert.ok(number);
  assert.deepEqual(number, { id: "+14155550100", number: "+14155550100", targets: [] });
  const target = { kind: "agent", id: ids.agent ?? "", version: 0 } as const;
  const now = await numbers.point(local.client, number, target);
  assert.deepEqual(now.targets, [{ ...target, weight: 1 }]);
  const path = "/get-phone-number/%2B14155550100";
  const read = await local.client.send({ method: "GET", path, about: "number", answer: ANY });
  assert.equal(recordAt({ read }, "read").nickname, "Main");
});

test("remove() deletes an agent and then its engine", async () => {
  const local = startLocal("retell");
  const ids = await createAll(local, emit(helpDesk, "retell").config);
  for (const each of [...(await local.adapter.read(local.client, ids))].reverse())
    await local.adapter.remove(local.client, each);
  assert.deepEqual(await local.adapter.read(local.client, ids), []);
});
