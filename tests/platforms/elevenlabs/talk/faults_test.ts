import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { AGENT_ID, type ElevenLabsServerOptions, SIGNATURE, startElevenLabs } from "./_server.ts";

const NOW: RunOptions = { store: false };
const FAST = { settleMs: 50 };
const ask = () => scenario("asks").says("Where is my order?").includes("order number").excludes("sorry");

const event = (error: object) => [{ type: "error", error_event: { code: 1008, ...error } }];
const inTurn = (messages: readonly object[]): ElevenLabsServerOptions => ({
  instead: (turn) => (turn === 1 ? messages : undefined),
});
const atReply = (text: string) => text.includes("agent_response_event") && text.includes("order number");
const path = (of: string, status: number, json: unknown = { detail: "no" }): ElevenLabsServerOptions => ({
  answer: (pathname) => (pathname.includes(of) ? { status, json } : undefined),
});

const FAULTS: readonly (readonly [name: string, ElevenLabsServerOptions, kind: RegExp])[] = [
  ["a rejected key", path("/agents/", 401), /\(key\)/],
  ["no credit", path("get-signed-url", 402), /\(payment\)/],
  ["no such agent", path("", 404), /\(unknown-agent\)/],
  ["no signed URL", path("get-signed-url", 200, {}), /\(vendor\)/],
  ["a refused handshake", { refuse: () => ({ status: 403, json: {} }) }, /\(key\)/],
  [
    "a close before the beginning",
    { fault: (text) => (text.includes("initiation_metadata") ? { close: 1000 } : undefined) },
    /\(vendor\).*before it began/,
  ],
  ["a close with a code", { fault: (text) => (atReply(text) ? { close: 1011 } : undefined) }, /\(vendor\)/],
  ["a break", { fault: (text) => (atReply(text) ? "break" : undefined) }, /\(ended-early\)/],
  ["half a message", { fault: (text) => (atReply(text) ? "half" : undefined) }, /\(vendor\)/],
  [
    "an override that is not allowed",
    inTurn(event({ error_type: "override_error" })),
    /\(refused\).*allow the override/,
  ],
  [
    "a missing variable",
    inTurn(event({ error_type: "missing_dynamic_variable", message: "name" })),
    /\(refused\).*name/,
  ],
  ["a model that does not answer", inTurn(event({ error_type: "llm_timeout" })), /\(vendor\).*llm_timeout/],
  ["a reply without a text", inTurn([{ type: "agent_response", agent_response_event: {} }]), /\(vendor\)/],
  ["a tool without a name", inTurn([{ type: "client_tool_call", client_tool_call: {} }]), /\(vendor\)/],
  ["no record", path("/conversations/", 500), /\(vendor\)/],
  [
    "a record without a transcript",
    { record: (record) => ({ ...record, transcript: null }) },
    /\(vendor\).*no transcript/,
  ],
  [
    "a record without variables",
    { record: (record) => ({ ...record, conversation_initiation_client_data: {} }) },
    /\(vendor\).*no variables/,
  ],
  ["a record without nodes", { record: (record) => ({ ...record, transcript: [] }) }, /\(vendor\).*no nodes/],
];

for (const [name, options, kind] of FAULTS) {
  test(`a fault is an error of its kind, and no verdict: ${name}`, async () => {
    await using server = await startElevenLabs(options);
    using _ = keyed("elevenlabs");
    const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
    const status = await run(agent, [ask()], NOW).then(
      (report) => JSON.stringify(statuses(report)),
      (error) => String(error.message),
    );
    assert.match(status, kind, name);
    assert.doesNotMatch(status, /pass/, name);
    assert.equal(status.includes(SIGNATURE) || status.includes(KEY), false, name);
    await server.gone();
  });
}

test("a turn that does not end is silence within its limit", async () => {
  const stall: ElevenLabsServerOptions = { fault: (text) => (atReply(text) ? "stall" : undefined), parts: "none" };
  await using server = await startElevenLabs(stall);
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
  const report = await run(agent, [ask()], { ...NOW, limits: { turnTimeoutMs: 500 } });
  assert.match(statuses(report)[0] ?? "", /^error.*\(silence\)/);
  await server.gone();
});
