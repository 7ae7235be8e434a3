import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { elevenLabsConnection } from "../../../../platforms/elevenlabs/talk/conversation.ts";
import { createSoundWriter } from "../../../../src/call/voice/mod.ts";
import { FAST, spoken } from "../../../call/voice/_spoken.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { CALLER } from "../../connections/_voice_platforms.ts";
import { AGENT_ID, type ElevenLabsServerOptions, SHIPPED_MOCK, SIGNATURE, startElevenLabs } from "./_server.ts";

const NOW: RunOptions = { store: false };
const PCM = { caller: "pcm_16000", agent: "pcm_16000" };
const SHIPPED = { args: { order_number: "A-1042" }, output: { status: "shipped", arrives: "Friday" } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .mock("look_up_order", SHIPPED)
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

async function runOn(options: ElevenLabsServerOptions, scenarios = [asks]) {
  using _key = keyed("elevenlabs");
  await using server = await startElevenLabs({ voice: PCM, ...options });
  const connection = elevenLabsConnection(
    { agentId: AGENT_ID, baseUrl: server.url, voice: { ...CALLER, turns: { giveUpMs: 15_000 } } },
    { clock: FAST },
  );
  const report = await run(connection, scenarios, NOW);
  await server.gone();
  assert.ok(!JSON.stringify(report).includes(SIGNATURE));
  return { report, server, status: statuses(report)[0] ?? "" };
}

/** Formats of the platform (`agent_output_audio_format`, `user_input_audio_format`), and orders that are not documented. */
const USUAL: readonly (readonly [name: string, options: ElevenLabsServerOptions])[] = [
  ["µ-law both ways", { voice: { caller: "ulaw_8000", agent: "ulaw_8000" } }],
  ["another rate each way", { voice: { caller: "pcm_16000", agent: "pcm_24000" } }],
  ["the text after its sound", { voice: { ...PCM, audioFirst: true } }],
  ["agent_response_complete", { completes: true }],
  ["no events of tools", { tellsTools: false }],
  ["mocks on the platform", { tool: "webhook", responseMocks: [SHIPPED_MOCK] }],
];
for (const [name, options] of USUAL) {
  test(`a conversation by voice: ${name}`, { timeout: 60_000 }, async () => {
    const { report, server, status } = await runOn(options);
    assert.equal(status, "pass");
    const [result] = report.results;
    const said = result?.transcript.filter(({ role }) => role === "assistant") ?? [];
    assert.ok(said.length >= 4);
    // both are kept: what was heard, and what the platform says
    for (const { content, metadata } of said) assert.equal(metadata.reported, content);
    const start: unknown = server.received.find(
      (message) => Object(message).type === "conversation_initiation_client_data",
    );
    assert.equal(JSON.stringify(start).includes("text_only"), false);
    assert.equal(result?.connection?.version, "agtvrsn_7");
  });
}

for (const tool of ["client", "webhook"] as const) {
  test(`a turn is held open while a ${tool} tool is open, with words before it`, { timeout: 60_000 }, async () => {
    const { report, status } = await runOn({ tool, responseMocks: [SHIPPED_MOCK], filler: "One moment.", toolMs: 350 });
    assert.equal(status, "pass");
    const lines = report.results[0]?.transcript.flatMap(({ role, content, metadata }) =>
      metadata.kind === "tool_call"
        ? [`tool: ${String(metadata.name)}`]
        : role === "tool"
          ? []
          : [`${role}: ${content}`],
    );
    const at = lines?.indexOf("user: It is A-1042.") ?? -1;
    assert.deepEqual(lines?.slice(at + 1, at + 3), ["assistant: One moment.", "tool: look_up_order"]);
    assert.match(lines?.[at + 3] ?? "", /^assistant: .*shipped/);
  });
}

const audio = (text: string, id: number) => ({
  type: "audio",
  audio_event: {
    audio_base_64: Buffer.from(
      createSoundWriter({ encoding: "pcm", rate: 16_000 }, 16_000)(spoken(text, 16_000)),
    ).toString("base64"),
    event_id: id,
  },
});
const words = (text: string, id: number) => ({
  type: "agent_response",
  agent_response_event: { agent_response: text, event_id: id },
});

test("an interruption drops what was not played, late sound of it too, and its words are corrected", {
  timeout: 60_000,
}, async () => {
  const { report, status } = await runOn(
    {
      instead: (turn) =>
        turn === 1
          ? [
              words("What is your order number, and your name?", 8),
              audio("not heard", 8),
              { type: "interruption", interruption_event: { event_id: 9 } },
              audio("late", 8),
              audio("What is your order number?", 9),
              {
                type: "agent_response_correction",
                agent_response_correction_event: {
                  original_agent_response: "What is your order number, and your name?",
                  corrected_agent_response: "What is your order number",
                  event_id: 8,
                },
              },
            ]
          : undefined,
    },
    [hi],
  );
  assert.equal(status, "pass");
  const last = report.results[0]?.transcript.findLast(({ role }) => role === "assistant");
  assert.deepEqual(
    [last?.content, last?.metadata.reported],
    ["What is your order number?", "What is your order number"],
  );
});

/** What the server does, and the error of the call. */
const WRONG: readonly (readonly [name: string, options: ElevenLabsServerOptions, error: RegExp])[] = [
  ["another format", { voice: { ...PCM, agent: "opus_48000" } }, /\(vendor\).*agent_output_audio_format.*opus_48000/],
  [
    "no base64",
    { instead: () => [{ type: "audio", audio_event: { audio_base_64: "%%", event_id: 1 } }] },
    /\(vendor\).*base64/,
  ],
  ["no sound", { instead: () => [words("Hello", 1)] }, /\(silence\)/],
  [
    "an error",
    { instead: () => [{ type: "error", error_event: { code: 1, message: "out of order" } }] },
    /\(vendor\).*out of order/,
  ],
  ["half a message", { fault: (_, number) => (number === 4 ? "half" : undefined) }, /\(vendor\).*no JSON/],
  ["a close in the middle", { fault: (_, number) => (number === 5 ? { close: 1008 } : undefined) }, /\(vendor\).*1008/],
  ["a broken connection", { fault: (_, number) => (number === 5 ? "break" : undefined) }, /\(ended-early\)/],
];
for (const [name, options, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 60_000 }, async () => {
    const { status } = await runOn(options, [hi]);
    assert.match(status, /^error: /);
    assert.match(status, error);
  });
}

test("agents whose conversations are text only are refused", async () => {
  const agent = { agent_id: AGENT_ID, conversation_config: { conversation: { text_only: true }, agent: {} } };
  const answer = (path: string) => (path.startsWith("/v1/convai/agents/") ? { json: agent } : undefined);
  const { status } = await runOn({ answer }, [hi]);
  assert.match(status, /^error: .*\(refused\): its conversations are text only/);
});
