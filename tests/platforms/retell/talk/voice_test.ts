import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { retellConnection } from "../../../../platforms/retell/talk/playground.ts";
import type { RetellVoiceParts } from "../../../../platforms/retell/talk/voice.ts";
import { ScenarioError } from "../../../../src/base/errors.ts";
import { RTC_CALLER } from "../../../call/rtc/_caller.ts";
import { FAST } from "../../../call/voice/_fast_clock.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { type GatewayOptions, startGateway, TOKEN } from "./_gateway.ts";
import { AGENT_ID } from "./_playground.ts";

const NOW: RunOptions = { store: false, connection: { allowRealTools: true } };
/** The gateway tells no end of a turn, so that silence does. */
const VOICE = { ...RTC_CALLER, turns: { endMs: 800, giveUpMs: 120_000 } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

async function runOn(
  gateway: GatewayOptions,
  scenarios = [asks],
  parts: RetellVoiceParts = {},
  limits: RunOptions["limits"] = {},
) {
  await using server = await startGateway(gateway);
  using _ = keyed("retell");
  const options = { agentId: AGENT_ID, baseUrl: server.url, voice: VOICE };
  const agent = retellConnection(options, { clock: FAST, askMs: 300, ...parts });
  const report = await run(agent, scenarios, { ...NOW, limits });
  for (const secret of [KEY, TOKEN]) assert.ok(!JSON.stringify(report).includes(secret));
  return { report, taken: server.taken, status: statuses(report)[0] ?? "" };
}

/** Ways of the gateway that change nothing for the caller. */
const USUAL: readonly (readonly [name: string, gateway: GatewayOptions])[] = [
  ["silence after the end", {}],
  ["it closes the connection, and the platform knows it later", { closes: true, late: 3 }],
  ["packets in the wrong order", { swaps: true }],
];
for (const [name, gateway] of USUAL) {
  test(`a call by voice over the gateway: ${name}`, { timeout: 90_000 }, async () => {
    const { report, status, taken } = await runOn(gateway);
    assert.equal(status, "pass");
    const [result] = report.results;
    assert.deepEqual(
      result?.toolsCalled.map((tool) => tool.name),
      ["look_up_order"],
    );
    assert.ok((result?.nodesVisited.length ?? 0) > 1);
    const { version, callId, recordingUrl } = result?.connection ?? {};
    assert.deepEqual([version, callId, recordingUrl], ["7", "call_1", "https://example.com/call.wav"]);
    const created = taken.filter(({ url }) => url === "/v3/create-web-call");
    assert.deepEqual(
      created.map(({ body }) => [body.agent_id, body.agent_version]),
      [[AGENT_ID, 7]],
    );
    const [joined] = taken.filter(({ url }) => url.endsWith("/v1/webrtc/sessions"));
    assert.equal(joined?.body.identity, "client");
    assert.match(joined?.body.sdp, /a=candidate/);
  });
}

test("a caller who hangs up ends the call for the platform", { timeout: 90_000 }, async () => {
  const { status, taken } = await runOn({}, [hi]);
  assert.equal(status, "pass");
  const ended = taken.filter(({ method }) => method === "DELETE");
  assert.deepEqual(
    ended.map(({ url, headers }) => [url, headers.authorization]),
    [["/webrtc-proxy/call_1/v1/webrtc/sessions/session_1", `Bearer ${TOKEN}`]],
  );
});

const at = (path: string, answer: { status?: number; json?: unknown; text?: string }): GatewayOptions => ({
  instead: ({ url }) => (url.includes(path) ? answer : undefined),
});
const CREATED = { call_id: "call_1", access_token: TOKEN };
/** What the platform does, and the error of the call. */
const WRONG: readonly (readonly [name: string, gateway: GatewayOptions, error: RegExp])[] = [
  ["no credit", at("create-web-call", { status: 402, json: { message: "credit" } }), /\(payment\)/],
  ["no token", at("create-web-call", { json: { call_id: "call_1" } }), /\(vendor\): its answer has no access_token/],
  ["a room", at("create-web-call", { json: { ...CREATED, transport: "livekit" } }), /\(vendor\).*another transport/],
  [
    "servers that are none",
    at("create-web-call", { json: { ...CREATED, ice_servers: [{}] } }),
    /\(vendor\).*ice_servers/,
  ],
  ["a token that is rejected", at("webrtc-proxy", { status: 401, text: `no ${TOKEN}` }), /\(key\): .*no \[key\]/],
  ["half an answer", at("webrtc-proxy", { text: '{"session_id":"session_1","sd' }), /\(vendor\)/],
  ["no session", at("webrtc-proxy", { json: { sdp: "v=0" } }), /\(vendor\): the gateway's answer has no session_id/],
  ["no sound", { isMute: true }, /\(vendor\): its answer has no sound/],
  ["no call", at("get-call", { json: { call_id: "call_2" } }), /\(vendor\).*is no call/],
  ["nothing is said", { isSilent: true }, /\(silence\)/],
];
for (const [name, gateway, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 90_000 }, async () => {
    const { status, taken } = await runOn(gateway, [hi]);
    assert.match(status, /^error: /);
    assert.match(status, error);
    // a call is not made twice
    assert.equal(taken.filter(({ url }) => url === "/v3/create-web-call").length, 1);
    // a session that was begun is ended
    const begun = taken.filter(({ method, url }) => method === "POST" && url.startsWith("/webrtc-proxy"));
    const ended = taken.filter(({ method }) => method === "DELETE");
    assert.equal(ended.length, /no session|token|half|credit|room|servers/.test(name) ? 0 : begun.length);
  });
}

test("a gateway that never answers the offer is given up after the time of a turn", { timeout: 90_000 }, async () => {
  const stalls: GatewayOptions = { instead: ({ url }) => (url.startsWith("/webrtc-proxy") ? () => {} : undefined) };
  const { status } = await runOn(stalls, [hi], {}, { turnTimeoutMs: 1_000 });
  assert.match(status, /^error: .*\(silence\)/);
});

test("an end that is the platform's fault is an error, and not the agent's choice", { timeout: 90_000 }, async () => {
  const { status } = await runOn({ reason: "error_llm_websocket_open" });
  assert.match(status, /^error: .*\(vendor\): the call ended with error_llm_websocket_open/);
});

test("packages that are missing are named before the first call", async () => {
  const loadRtc = async () => {
    throw new ScenarioError("werift cannot be loaded", {
      code: "missing-package",
      hint: "npm install werift opusscript",
    });
  };
  await assert.rejects(runOn({}, [hi], { loadRtc }), { code: "missing-package" });
});

test("chats are in text", () => {
  using _ = keyed("retell");
  assert.throws(() => connect.retell({ agentId: AGENT_ID, chat: true, voice: true }), /chats are in text/);
});
