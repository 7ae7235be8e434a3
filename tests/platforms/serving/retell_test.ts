import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalRetell } from "../../../platforms/retell/local/mod.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { seeded } from "../mutate.ts";
import { ask, bodyOf, messageOf } from "./_ask.ts";

const KEYS = { "key-1": "workspace-1", "key-2": "workspace-2" };

function say(id: string, extra: JsonObject = {}): JsonObject {
  return { id, type: "conversation", instruction: { type: "prompt", text: "Speak." }, edges: [], ...extra };
}

function flow(...nodes: readonly JsonObject[]): JsonObject {
  return { start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-4.1" }, nodes };
}

function start(options: { maxPage?: number; requestsPerSecond?: number; now?: () => number } = {}) {
  return new LocalRetell({ keys: KEYS, random: seeded(1), now: () => 1000, ...options });
}

/** A platform with one agent and its flow. */
function withAgent() {
  const platform = start();
  const { conversation_flow_id: engine } = bodyOf(ask(platform, "POST /create-conversation-flow", flow(say("a"))));
  const response_engine = { type: "conversation-flow", conversation_flow_id: engine, version: 0 };
  const agent = bodyOf(ask(platform, "POST /create-agent", { voice_id: "v", agent_name: "Clinic", response_engine }));
  return { platform, engine: String(engine), agent: String(agent.agent_id) };
}

test("Retell adds defaults and its own fields, keeps unknown keys, and returns keys in another order", () => {
  const platform = start();
  const sent = { ...flow(say("a", { is_start: true })), invented: { x: 1 } };
  const created = bodyOf(ask(platform, "POST /create-conversation-flow", sent));
  assert.deepEqual(created.invented, { x: 1 });
  assert.deepEqual(created.kb_config, { top_k: 3, filter_score: 0.6 });
  assert.deepEqual([created.version, created.is_published, created.last_modification_timestamp], [0, false, 1000]);
  const path = `GET /get-conversation-flow/${created.conversation_flow_id}`;
  const orders = Array.from({ length: 6 }, () => Object.keys(bodyOf(ask(platform, path))).join());
  assert.ok(new Set(orders).size > 1);
});

test("Retell replaces nested objects whole, and takes null for what is unset", () => {
  const { platform, agent } = withAgent();
  const path = `PATCH /update-agent/${agent}`;
  bodyOf(
    ask(platform, path, { user_dtmf_options: { digit_limit: 4, termination_key: "#" }, webhook_url: "https://x" }),
  );
  const now = bodyOf(ask(platform, path, { user_dtmf_options: { digit_limit: 5 }, webhook_url: null }));
  assert.deepEqual([now.user_dtmf_options, now.webhook_url, now.agent_name], [{ digit_limit: 5 }, null, "Clinic"]);
});

test("Retell refuses to change what is published; a new version copies agent and flow, and the old one stays", () => {
  const { platform, agent, engine } = withAgent();
  assert.deepEqual(ask(platform, `POST /publish-agent-version/${agent}`, { version: 0 }), {
    status: 200,
    body: undefined,
  });
  const prompt = { global_prompt: "Be kind." };
  assert.equal(
    messageOf(ask(platform, `PATCH /update-conversation-flow/${engine}`, prompt)),
    "400 Cannot update published conversation flow",
  );
  assert.equal(messageOf(ask(platform, `PATCH /update-agent/${agent}`, {})), "400 Cannot update published agent");

  const draft = bodyOf(ask(platform, `POST /create-agent-version/${agent}`, { base_version: 0 }));
  assert.deepEqual([draft.version, draft.base_version, draft.is_published], [1, 0, false]);
  assert.deepEqual(draft.response_engine, { type: "conversation-flow", conversation_flow_id: engine, version: 1 });
  bodyOf(ask(platform, `PATCH /update-conversation-flow/${engine}?version=1`, prompt));
  assert.equal(bodyOf(ask(platform, `GET /get-conversation-flow/${engine}?version=0`)).global_prompt, undefined);
  assert.equal(bodyOf(ask(platform, `GET /get-conversation-flow/${engine}`)).global_prompt, "Be kind.");
  assert.equal(bodyOf(ask(platform, `GET /get-agent/${agent}?version=latest_published`)).version, 0);
  assert.match(messageOf(ask(platform, `GET /get-agent/${agent}?version=9`)), /^404 /);
  const { items } = bodyOf(ask(platform, `GET /list-agent-versions/${agent}`));
  assert.equal(Array.isArray(items) && items.length, 2);
});

test("Retell refuses flows that its schema does not take, in its own words", () => {
  const edge = (id: string, to: string) => ({
    id,
    destination_node_id: to,
    transition_condition: { type: "prompt", prompt: "Yes" },
  });
  const cases: readonly (readonly [JsonObject, RegExp])[] = [
    [{ ...flow(say("a")), model_choice: undefined }, /must have required property 'model_choice'/],
    [flow(say("a", { edges: [edge("e", "a")] })), /leads from a to itself/],
    [flow(say("a", { edges: [edge("e", "b")] })), /leads to b, which does not exist/],
    [flow(say("a", { edges: [edge("e", "b")] }), say("b", { edges: [edge("e", "a")] })), /Edge id e is used twice/],
    [flow(say("a"), say("a")), /Node id a is used twice/],
    [flow({ id: "f", type: "function", tool_id: "t", wait_for_result: true }), /required property 'tool_type'/],
    [flow({ id: "x", type: "poem" }), /Node x: type must be one of oneOf: conversation/],
    [{ ...flow(say("a")), start_node_id: "b" }, /start_node_id b does not exist/],
    [{ ...flow(say("a")), tools: [{ type: "custom", name: "t", tool_id: "t" }] }, /required property 'url'/],
    [
      flow(say("a", { edges: [{ ...edge("e", "a"), transition_condition: "Yes" }] })),
      /must be of type prompt or equation|itself/,
    ],
    [flow(say("a", { finetune_transition_examples: [{ destination_node_id: "gone" }] })), /update finetune examples/],
  ];
  for (const [body, message] of cases) {
    const answer = messageOf(ask(start(), "POST /create-conversation-flow", body));
    assert.match(answer, /^400 /);
    assert.match(answer, message);
  }
});

test("Retell refuses an LLM whose states cannot be told apart or reached", () => {
  const edge = { destination_state_name: "b", description: "Yes" };
  const states = [{ name: "a", edges: [edge, edge] }, { name: "b" }];
  const create = (body: JsonObject) => messageOf(ask(start(), "POST /create-retell-llm", body));
  assert.match(create({ states, starting_state: "a" }), /Destination states must be unique/);
  assert.match(create({ states: [{ name: "a" }] }), /starting_state/);
  assert.match(create({ states: [{ name: "a", edges: [edge] }], starting_state: "a" }), /State b does not exist/);
  assert.match(create({ general_tools: [{ type: "custom", name: "t" }] }), /required property 'url'/);
});

test("Retell deletes an engine in use only when it is forced, and knows nothing of it afterwards", () => {
  const { platform, engine } = withAgent();
  assert.match(messageOf(ask(platform, `DELETE /delete-conversation-flow/${engine}`)), /^400 .* is used by agent_/);
  assert.equal(ask(platform, `DELETE /delete-conversation-flow/${engine}?force_delete=true`).status, 204);
  assert.match(messageOf(ask(platform, `GET /get-conversation-flow/${engine}`)), /^404 /);
});

test("a shared component has no versions, names the flows that run it, and has to exist before them", () => {
  const platform = start();
  const running = (id: unknown) =>
    flow(say("a"), { id: "c", type: "component", component_id: id, component_type: "shared", else_edge: { id: "e" } });
  assert.match(messageOf(ask(platform, "POST /create-conversation-flow", running("component_9"))), /^404 /);
  const body = { name: "Identify", nodes: [say("x")] };
  const created = bodyOf(ask(platform, "POST /create-conversation-flow-component", body));
  assert.equal(created.version, undefined);
  const id = created.conversation_flow_component_id;
  const { conversation_flow_id: user } = bodyOf(ask(platform, "POST /create-conversation-flow", running(id)));
  const now = bodyOf(ask(platform, `GET /get-conversation-flow-component/${id}`));
  assert.deepEqual(now.linked_conversation_flow_ids, [user]);
});

test("Retell shows a key only what its workspace has, and refuses keys that it does not know", () => {
  const { platform, agent } = withAgent();
  assert.match(messageOf(ask(platform, `GET /get-agent/${agent}`, {}, "key-2")), /^404 /);
  assert.deepEqual(bodyOf(ask(platform, "POST /v2/list-agents", {}, "key-2")).items, []);
  assert.equal(messageOf(ask(platform, "GET /get-agent/x", {}, "key-3")), "401 Invalid API Key");
});

test("Retell lists in pages, and refuses requests above the limit with Retry-After", () => {
  const platform = start({ maxPage: 2 });
  for (const _ of [1, 2, 3]) bodyOf(ask(platform, "POST /create-conversation-flow", flow(say("a"))));
  const first = bodyOf(ask(platform, "GET /v2/list-conversation-flows?limit=1000"));
  assert.deepEqual([Array.isArray(first.items) && first.items.length, first.has_more], [2, true]);
  const second = bodyOf(ask(platform, `GET /v2/list-conversation-flows?pagination_key=${first.pagination_key}`));
  assert.deepEqual([Array.isArray(second.items) && second.items.length, second.has_more], [1, false]);

  let time = 0;
  const busy = start({ requestsPerSecond: 2, now: () => time });
  const list = () => ask(busy, "POST /v2/list-agents");
  assert.deepEqual([list().status, list().status], [200, 200]);
  assert.deepEqual([list().status, list().headers], [429, { "retry-after": "1" }]);
  time = 1000;
  assert.equal(list().status, 200);
});

test("a phone number is answered by agents of the workspace, in versions that they have", () => {
  const { platform, agent } = withAgent();
  const number = bodyOf(ask(platform, "POST /import-phone-number", { phone_number: "+14155550100" }));
  assert.deepEqual([number.phone_number_type, number.inbound_agents], ["custom", []]);
  const point = (target: JsonObject) =>
    ask(platform, "PATCH /update-phone-number/%2B14155550100", { inbound_agents: [{ weight: 1, ...target }] });
  assert.deepEqual(bodyOf(point({ agent_id: agent, agent_version: 0 })).inbound_agents, [
    { agent_id: agent, agent_version: 0, weight: 1 },
  ]);
  assert.match(messageOf(point({ agent_id: "agent_9" })), /^404 /);
  assert.match(messageOf(point({ agent_id: agent, agent_version: 7 })), /^404 /);
});

test("Retell lists its voices, and shows one by its id", () => {
  const platform = start();
  const { status, body } = ask(platform, "GET /list-voices");
  assert.ok(status === 200 && Array.isArray(body) && body.length > 0);
  const [voice] = body;
  assert.deepEqual(bodyOf(ask(platform, `GET /get-voice/${voice.voice_id}`)), voice);
  assert.match(messageOf(ask(platform, "GET /get-voice/nobody")), /^404 /);
});
