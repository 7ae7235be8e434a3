import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { addressOf } from "../../../platforms/deploying/mod.ts";
import { elevenLabsAdapter } from "../../../platforms/elevenlabs/deploy/mod.ts";
import { LocalElevenLabs } from "../../../platforms/elevenlabs/local/mod.ts";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { fetchLocally, type LocalOptions } from "../../../platforms/serving/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { createPlatformClient } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../../src/base/values/mod.ts";
import { ANY, TEST_CONNECTION } from "../../base/http/connection.ts";
import { clinicAgent } from "../elevenlabs/agent/_clinic.ts";
import { seeded } from "../mutate.ts";
import { exampleGraphs } from "../sdk_literals.ts";
import { createAll, type Local, readBack } from "./_deploy_document.ts";

function start(options: Partial<LocalOptions> = {}): Local {
  const platform = new LocalElevenLabs({ keys: { key: "workspace-1" }, random: seeded(1), ...options });
  const client = createPlatformClient({
    ...TEST_CONNECTION,
    authentication: { header: "xi-api-key" },
    baseUrl: "http://localhost",
    key: "key",
    fetch: fetchLocally(platform),
  });
  return { adapter: elevenLabsAdapter, platform, client };
}

/** Stored tools with the ids that a document names. */
function storedTools(config: unknown) {
  const ids = [...JSON.stringify(config).matchAll(/"(tool_\w+|YOUR_TOOL_\w+|[A-Za-z0-9]{20})"/g)].map(([, id]) =>
    String(id),
  );
  const body = { tool_config: { type: "client", name: "stored", description: "" } };
  return [...new Set(ids)].map((id) => ({ kind: "tool", id, workspace: "workspace-1", body }));
}

/** Whether all of one value is in another. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length === whole.length && part.every((each, at) => isWithin(each, whole[at]));
  if (!isRecord(part)) return Object.is(part, whole);
  return isRecord(whole) && Object.entries(part).every(([key, each]) => isWithin(each, whole[key]));
}

/** Deploys a document, and asserts that what is read back has all of it. */
async function comesBack(config: unknown): Promise<void> {
  const local = start({ stored: storedTools(config) });
  const ids = await createAll(local, config);
  const read = await readBack(local, ids);
  const sent = elevenLabsAdapter.split(config);
  const found = elevenLabsAdapter.split(read);
  assert.deepEqual(found.map(addressOf), sent.map(addressOf));
  for (const [index, { body }] of sent.entries())
    assert.ok(isWithin(body, found[index]?.body), JSON.stringify(body).slice(0, 300));
  const pulled = importAgent(read).graph;
  assert.deepEqual(emit(pulled, "elevenlabs").config, read);
  assert.ok(!JSON.stringify(read).includes("person@example.com"), "nothing of access_info is kept");
}

test("the examples come back from the local platform as they were deployed", async () => {
  for (const graph of await exampleGraphs()) await comesBack(emit(graph, "elevenlabs").config);
});

test("published agents come back as they were deployed, or are refused for two edges of one pair, or for tools without an id", async (t) => {
  const folder = new URL("../../../../shared/corpus/elevenlabs/", import.meta.url);
  if (!existsSync(folder)) return t.skip("there is no ../shared/corpus");
  const refused: string[] = [];
  let count = 0;
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
    const text = readFileSync(new URL(name, folder), "utf8");
    if (!/conversation_?config/i.test(text)) continue;
    try {
      await comesBack(JSON.parse(text));
      count++;
    } catch (error) {
      if (!isCallweaveError(error)) throw new Error(name, { cause: error });
      refused.push(error.message);
    }
  }
  assert.ok(count > 10);
  assert.deepEqual(
    refused.filter((why) => !/Duplicate edge|of the tools TransferCall, SendMessage, some have no id/.test(why)),
    [],
  );
});

test("tools that nodes name are created first, and named by their ids; the agent is sent without tools", async () => {
  const local = start();
  const { config } = emit((await exampleGraphs())[0] ?? assert.fail(), "elevenlabs");
  const resources = elevenLabsAdapter.split(config);
  assert.equal(resources.at(-1)?.kind, "agent");
  const sent = JSON.stringify(resources.at(-1)?.body);
  for (const { kind, name } of resources.slice(0, -1)) {
    assert.equal(kind, "tool");
    assert.ok(sent.includes(`"callweave:tool:${name}"`), name);
  }
  const prompt = recordAt(recordAt(recordAt(resources.at(-1)?.body ?? {}, "conversation_config"), "agent"), "prompt");
  assert.equal(prompt.tools, undefined);
  const ids = await createAll(local, config);
  const agent = await local.client.send({
    method: "GET",
    path: `/v1/convai/agents/${ids.agent}`,
    about: "agent",
    answer: ANY,
  });
  assert.ok(isRecord(agent) && !JSON.stringify(agent.workflow).includes("callweave:"));
});

test("an agent with tool_ids is sent without the tools that the API wrote out", () => {
  const [agent, ...others] = elevenLabsAdapter.split(clinicAgent());
  assert.deepEqual(others, []);
  const prompt = recordAt(recordAt(recordAt(agent?.body ?? {}, "conversation_config"), "agent"), "prompt");
  assert.deepEqual(prompt.tool_ids, ["tool_1"]);
  assert.equal(prompt.tools, undefined);
  assert.deepEqual(Object.keys(recordAt(prompt, "built_in_tools")), ["end_call", "skip_turn"]);
});

test("a tool beside tool_ids that no node names is created if its name is listed, and else refused, never left out", () => {
  const document = clinicAgent();
  const { prompt } = document.conversation_config.agent;
  const refund = { type: "client", name: "refund", description: "Pays back" };
  const withTools = (more: JsonObject) => {
    const agent = { ...document.conversation_config.agent, prompt: { ...prompt, ...more } };
    return { ...document, conversation_config: { ...document.conversation_config, agent } };
  };
  const tools = [...prompt.tools, refund];
  assert.throws(
    () => elevenLabsAdapter.split(withTools({ tools })),
    (error) =>
      isCallweaveError(error) &&
      error.code === "not-deployable" &&
      /refund/.test(error.message) &&
      error.path.at(-1) === "tools",
  );
  for (const ids of [[...prompt.tool_ids, "refund"], ["refund"]]) {
    const listed = ids.length > 1 ? tools : [refund];
    const [tool, agent] = elevenLabsAdapter.split(withTools({ tools: listed, tool_ids: ids }));
    assert.deepEqual([tool?.kind, tool?.name], ["tool", "refund"]);
    const sent = recordAt(recordAt(recordAt(agent?.body ?? {}, "conversation_config"), "agent"), "prompt");
    assert.deepEqual(sent.tool_ids, [...ids.slice(0, -1), "callweave:tool:refund"]);
  }
});

test("tools beside tool_ids that are all names are created, those that the list lacks too", () => {
  const document = clinicAgent();
  const { prompt } = document.conversation_config.agent;
  const tools = ["refund", "repair"].map((name) => ({ type: "client", name, description: "" }));
  const agent = { ...document.conversation_config.agent, prompt: { ...prompt, tools, tool_ids: ["refund"] } };
  const resources = elevenLabsAdapter.split({
    ...document,
    conversation_config: { ...document.conversation_config, agent },
  });
  assert.deepEqual(
    resources.map(({ name }) => name),
    ["refund", "repair", "agent"],
  );
});

test("an edge without a condition, as the API returns it, is sent as one that is always taken", () => {
  const document = clinicAgent();
  const edges = {
    ...document.workflow.edges,
    edge_start: { ...document.workflow.edges.edge_start, forward_condition: null },
  };
  const [agent] = elevenLabsAdapter.split({ ...document, workflow: { ...document.workflow, edges } });
  const sent = recordAt(recordAt(recordAt(agent?.body ?? {}, "workflow"), "edges"), "edge_start");
  assert.deepEqual(sent.forward_condition, { type: "unconditional" });
});

test("a change sends what differs, null for what is removed, and the workflow as a whole; every write is a version", async () => {
  const sent: JsonObject[] = [];
  const local = start({ stored: storedTools(clinicAgent()) });
  const platform = {
    keyHeader: "xi-api-key",
    answer: (request: Parameters<typeof local.platform.answer>[0]) => {
      if (request.method === "PATCH") sent.push(request.body);
      return local.platform.answer(request);
    },
  };
  const client = createPlatformClient({
    ...TEST_CONNECTION,
    authentication: { header: "xi-api-key" },
    baseUrl: "http://localhost",
    key: "key",
    fetch: fetchLocally(platform),
  });
  const ids = await createAll({ ...local, client }, clinicAgent());
  const [remote] = await elevenLabsAdapter.read(client, ids);
  assert.ok(remote?.version);
  const { tts: _, ...config } = recordAt(remote.body, "conversation_config");
  const body = { ...remote.body, conversation_config: { ...config, turn: { turn_timeout: 9 } } };
  const now = await elevenLabsAdapter.write(
    client,
    { kind: "agent", name: "agent", body },
    { remote, written: new Map() },
  );
  assert.deepEqual(sent, [{ conversation_config: { tts: null, turn: { turn_timeout: 9 } } }]);
  assert.notEqual(now.version, remote.version);
  assert.deepEqual(now.body, body);
});

test("a branch is read and written by AGENT_ID@BRANCH_ID, and the main branch stays", async () => {
  const base = { name: "Clinic", conversation_config: { agent: { first_message: "Hi" } } };
  const stored = [
    { kind: "agent", id: "agent_1", workspace: "workspace-1", body: base },
    { kind: "agent", id: "agent_1@agtbrch_staging", workspace: "workspace-1", body: base },
  ];
  const { client } = start({ stored });
  assert.deepEqual(await elevenLabsAdapter.find(client, "agent_1@agtbrch_staging"), {
    agent: "agent_1@agtbrch_staging",
  });
  await assert.rejects(elevenLabsAdapter.find(client, "agent_1@agtbrch_other"), { code: "platform-missing" });
  const ids = { agent: "agent_1@agtbrch_staging" };
  const [remote] = await elevenLabsAdapter.read(client, ids);
  assert.ok(remote);
  await elevenLabsAdapter.write(
    client,
    { ...remote, body: { ...remote.body, name: "Clinic (staging)" } },
    { remote, written: new Map() },
  );
  const [[branch], [main]] = [
    await elevenLabsAdapter.read(client, ids),
    await elevenLabsAdapter.read(client, { agent: "agent_1" }),
  ];
  assert.deepEqual([branch?.body.name, main?.body.name], ["Clinic (staging)", "Clinic"]);
  await assert.rejects(elevenLabsAdapter.remove(client, remote), { code: "not-deployable" });
});

test("two edges of one pair are refused with their path", async () => {
  const edge = (source: string, target: string) => ({
    source,
    target,
    forward_condition: { type: "llm", condition: "x" },
  });
  const nodes = { start_node: { type: "start" }, a: { type: "override_agent", label: "a" } };
  const agent = {
    name: "Twice",
    conversation_config: {},
    workflow: { nodes, edges: { one: edge("start_node", "a"), two: edge("a", "start_node") } },
  };
  await assert.rejects(
    createAll(start(), agent),
    (error) => isCallweaveError(error) && /Duplicate edge/.test(error.message),
  );
});

test("numbers are listed, and pointed to an agent", async () => {
  const number = {
    kind: "phone-number",
    id: "phnum_1",
    workspace: "workspace-1",
    body: { phone_number: "+14155550100" },
  };
  const { client } = start({
    stored: [number, { kind: "agent", id: "agent_1", workspace: "workspace-1", body: { conversation_config: {} } }],
  });
  const [found] = await elevenLabsAdapter.numbers.list(client);
  assert.deepEqual(found, { id: "phnum_1", number: "+14155550100", targets: [] });
  assert.ok(found);
  const now = await elevenLabsAdapter.numbers.point(client, found, { kind: "agent", id: "agent_1" });
  assert.deepEqual(records(now.targets), [{ kind: "agent", id: "agent_1" }]);
});
