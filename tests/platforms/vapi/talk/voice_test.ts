import assert from "node:assert/strict";
import { test } from "node:test";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { type VapiOptions, vapiConnection } from "../../../../platforms/vapi/talk/chat.ts";
import { FAST, spoken } from "../../../call/voice/_spoken.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { CALLER } from "../../connections/_voice_platforms.ts";
import { ASSISTANT_ID, SQUAD_ID } from "./_server.ts";
import { startVapiVoice, TOKEN, type VapiVoiceOptions } from "./_voice_server.ts";

const NOW: RunOptions = { store: false, connection: { unchecked: "report", allowRealTools: true } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

async function runOn(options: VapiVoiceOptions, given: Partial<VapiOptions> = {}, scenarios = [asks]) {
  using _key = keyed("vapi");
  await using server = await startVapiVoice(options);
  const agent: VapiOptions =
    given.assistantId === undefined ? { squadId: SQUAD_ID } : { assistantId: given.assistantId };
  const { assistantId: _, squadId: __, ...more } = given;
  const connection = vapiConnection({ ...agent, baseUrl: server.url, voice: CALLER, ...more }, { clock: FAST });
  const report = await run(connection, scenarios, NOW);
  await server.gone();
  assert.ok(!JSON.stringify(report).includes(TOKEN), "whoever has the URL of the sound can listen");
  return { report, server, status: statuses(report)[0] ?? "" };
}

/** Formats, and readings of what is not documented. */
const USUAL: readonly (readonly [name: string, options: VapiVoiceOptions, given?: Partial<VapiOptions>])[] = [
  ["messages under a key", { wrapped: true }],
  ["the format of the answer is another one", { format: { format: "mulaw" } }],
  ["a rate of 24,000", { format: { format: "pcm_s16le", sampleRate: 24_000 } }],
  ["calls of handoffs and ends are not told", { tellsEnds: false }],
  ["the connection is closed without a reason", { tellsReason: false }],
  ["an assistant in a version", {}, { assistantId: ASSISTANT_ID, version: "v2" }],
  ["words while a tool is open", { filler: "One moment.", toolMs: 2_000 }],
];
for (const [name, options, given] of USUAL) {
  test(`a call by voice: ${name}`, { timeout: 60_000 }, async () => {
    const { report, server, status } = await runOn(options, given);
    assert.equal(status, "pass");
    const [result] = report.results;
    const { callId, costUsd, endReason, recordingUrl, version } = result?.connection ?? {};
    assert.deepEqual([callId, costUsd, endReason], ["call_1", 0.02, "assistant-ended-call"]);
    assert.equal(recordingUrl, "https://storage.example.com/call.wav");
    if (given?.version) assert.equal(version, "v2");
    else assert.ok(result?.nodesVisited.includes("welcome"));
    for (const { role, content, metadata } of result?.transcript ?? [])
      if (role === "assistant") assert.equal(metadata.reported, content);
    const said = result?.transcript.flatMap(({ role, content }) => (role === "assistant" ? [content] : [])) ?? [];
    if (options.filler) assert.ok(said.some((text) => text.startsWith("One moment.")));
    const posted = server.taken.filter(({ method, url }) => method === "POST" && url === "/call");
    assert.equal(posted.length, 1, "a call is never created twice");
  });
}

test("a call that the caller ends is ended by a message before the connection is closed", {
  timeout: 60_000,
}, async () => {
  const { server, status } = await runOn({}, {}, [hi]);
  assert.equal(status, "pass");
  const last = server.received.findLast((message) => !(message instanceof Uint8Array));
  assert.deepEqual(last, { type: "end-call" });
});

const said = (text: string) => spoken(text, 16_000);
/** What the server does, and the error of the call. */
const WRONG: readonly (readonly [name: string, options: VapiVoiceOptions, error: RegExp])[] = [
  ["the platform is silent for too long", { endedReason: "silence-timed-out" }, /\(ended-early\).*silence-timed-out/],
  ["the platform fails", { endedReason: "pipeline-error-openai-llm-failed" }, /\(vendor\).*pipeline-error/],
  [
    "it fails, and only the record says so",
    { endedReason: "worker-shutdown", tellsReason: false },
    /\(vendor\).*worker-shutdown/,
  ],
  ["a format that nobody knows", { format: { format: "opus" } }, /\(vendor\).*opus/],
  [
    "no URL of the sound",
    { answer: (path) => (path === "/call" ? { json: { id: "1" } } : undefined) },
    /\(vendor\).*no URL/,
  ],
  ["half a message", { fault: (_, number) => (number === 1 ? "half" : undefined) }, /\(vendor\).*no JSON/],
  [
    "a tool without arguments",
    { instead: () => [{ type: "tool-calls", toolCallList: [{ id: "1", function: {} }] }] },
    /\(vendor\).*tool call/,
  ],
  ["a broken connection", { fault: (_, number) => (number === 4 ? "break" : undefined) }, /\(ended-early\)/],
  [
    "no credit",
    { answer: (path) => (path === "/call" ? { status: 402, json: { message: "pay" } } : undefined) },
    /\(payment\)/,
  ],
];
for (const [name, options, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 60_000 }, async () => {
    const { status } = await runOn(options, {}, [hi]);
    assert.match(status, /^error: /);
    assert.match(status, error);
  });
}

/** So long that a machine that is busy does not play all of it before the next message. */
const UNHEARD = Array.from({ length: 30 }, () => "not heard").join(" ");

test("an interruption drops what was not played", { timeout: 60_000 }, async () => {
  assert.ok(said("anything").length > 0);
  const sound = (text: string) => new Uint8Array(said(text).buffer);
  const { report, status } = await runOn(
    {
      instead: (turn) =>
        turn === 1 ? [sound(UNHEARD), { type: "user-interrupted" }, sound("What is your order number?")] : undefined,
    },
    // however late the second sound comes, the turn is not over before it
    { voice: { ...CALLER, turns: { endMs: 6_000 } } },
    [hi],
  );
  assert.equal(status, "pass");
  const last = report.results[0]?.transcript.findLast(({ role }) => role === "assistant")?.content ?? "";
  assert.ok(last.endsWith("What is your order number?") && !last.includes(UNHEARD), last);
});
