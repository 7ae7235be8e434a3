import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { openAIConnection } from "../../../../platforms/openai/talk/realtime.ts";
import { sessionWire } from "../../../../platforms/openai/talk/voice.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentSocket, customContext } from "../../../../src/call/connection/mod.ts";
import { FAST, spoken } from "../../../call/voice/_spoken.ts";
import { DESK_SESSION } from "../../connections/_faulty_platforms.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { CALLER } from "../../connections/_voice_platforms.ts";
import { openOptions } from "../../twilio/talk/_simulated.ts";
import { type OpenAIServerOptions, startOpenAI } from "./_server.ts";

const NOW: RunOptions = { store: false };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .mock("look_up_order", { output: { status: "shipped", arrives: "Friday" } })
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

async function runOn(options: OpenAIServerOptions, scenarios = [asks], more: object = {}) {
  using _key = keyed("openai");
  await using server = await startOpenAI(options);
  const given = {
    ...DESK_SESSION,
    baseUrl: `${server.url}/v1`,
    voice: { ...CALLER, turns: { giveUpMs: 15_000 } },
    ...more,
  };
  const report = await run(openAIConnection(given, { clock: FAST }), scenarios, NOW);
  await server.gone();
  assert.ok(!JSON.stringify(report).includes(KEY));
  return { report, server, status: statuses(report)[0] ?? "" };
}

for (const options of [{}, { soundFirst: true }, { items: "alone" }, { usage: false }] as const) {
  test(`a session by voice: ${JSON.stringify(options)}`, { timeout: 60_000 }, async () => {
    const session = { audio: { output: { voice: "marin" }, input: { turn_detection: { type: "semantic_vad" } } } };
    const { report, server, status } = await runOn(options, [asks], { session, price: { input: 1, output: 1 } });
    assert.equal(status, "pass");
    const [result] = report.results;
    assert.equal(result?.toolsCalled[0]?.mocked, true);
    for (const { role, content, metadata } of result?.transcript ?? [])
      if (role === "assistant") assert.equal(metadata.reported, content);
    const update: unknown = server.received.find((message) => Object(message).type === "session.update");
    const format = { type: "audio/pcm", rate: 24_000 };
    assert.deepEqual(Object(update).session.audio, {
      output: { voice: "marin", format },
      input: { turn_detection: { type: "semantic_vad" }, format },
    });
    assert.deepEqual(Object(update).session.output_modalities, ["audio"]);
    // the price is that of text
    assert.equal(result?.connection?.costUsd, undefined);
  });
}

const failed = (status: string, details: object) => [
  { type: "response.done", response: { id: "resp_1", status, status_details: details, output: [] } },
];
/** What the server sends in place of the first response, and the error of the call. */
const WRONG: readonly (readonly [name: string, instead: readonly object[], error: RegExp])[] = [
  [
    "a response that failed",
    failed("failed", { error: { code: "server_error", type: "server_error" } }),
    /\(vendor\).*server_error/,
  ],
  [
    "a response that was cut off",
    failed("incomplete", { reason: "max_output_tokens" }),
    /\(vendor\).*max_output_tokens/,
  ],
  ["an error", [{ type: "error", error: { code: "rate_limit_exceeded", message: "slow down" } }], /\(throttled\)/],
  ["no base64", [{ type: "response.output_audio.delta", delta: "%%" }], /\(vendor\).*base64/],
  ["no answer", [], /\(silence\)/],
];
for (const [name, instead, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 60_000 }, async () => {
    const more = name === "no answer" ? { voice: { ...CALLER, turns: { giveUpMs: 2_000 } } } : {};
    const limits = name === "no answer" ? { turnTimeoutMs: 1_500 } : {};
    using _key = keyed("openai");
    await using server = await startOpenAI({ instead: (response) => (response === 1 ? instead : undefined) });
    const given = { ...DESK_SESSION, baseUrl: `${server.url}/v1`, voice: CALLER, ...more };
    const [status = ""] = statuses(await run(openAIConnection(given, { clock: FAST }), [hi], { ...NOW, limits }));
    assert.match(status, /^error: /);
    assert.match(status, error);
  });
}

test("a session that does not hear the end of the caller's turn is refused", () => {
  using _key = keyed("openai");
  const given = { model: "gpt-realtime", voice: true, session: { audio: { input: { turn_detection: null } } } };
  assert.throws(
    () => openAIConnection(given),
    (error) => isCallweaveError(error) && error.code === "invalid-option" && error.path.includes("turn_detection"),
  );
  assert.throws(() => openAIConnection({ ...given, voice: { opening: true } as never }), /opening/);
});

/** A wire over a socket whose messages a test gives. */
function wireOver(given: JsonObject[]) {
  const sent: JsonObject[] = [];
  const socket: AgentSocket = {
    protocol: "",
    isOpen: true,
    waiting: 0,
    send: (message) => void sent.push(JSON.parse(JSON.stringify(message))),
    receive: async () => JSON.stringify(given.shift()),
    receiveJson: () => Promise.reject(new Error("not used")),
    readJson: (message) => JSON.parse(String(message)),
    close: async () => {},
  };
  const { mocks } = customContext(openOptions());
  const wire = sessionWire(socket, {
    name: "model",
    client: { withoutSecrets: (text) => text },
    interrupts: true,
    mocks,
    ends: [],
    transfers: [],
  });
  return { wire, sent, next: async () => await wire.receive(openOptions()) };
}

test("the caller's voice drops what was not played, and the model is told how much was heard", async () => {
  const sound = spoken("a long answer", 24_000);
  const delta = Buffer.from(sound.buffer).toString("base64");
  const ids = { response_id: "resp_1", content_index: 0 };
  const given: JsonObject[] = [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_audio.delta", item_id: "first", delta, ...ids },
    { type: "response.output_audio.delta", item_id: "second", delta, ...ids },
    { type: "input_audio_buffer.speech_started" },
    { type: "response.output_audio.delta", item_id: "second", delta, ...ids },
    {
      type: "response.done",
      response: { id: "resp_1", status: "cancelled", status_details: { reason: "turn_detected" } },
    },
    { type: "error", error: { code: "conversation_already_has_active_response", message: "wait" } },
    { type: "response.created", response: { id: "resp_2" } },
  ];
  const { wire, sent, next } = wireOver(given);
  assert.equal((await next())?.kind, "busy");
  assert.deepEqual([(await next())?.kind, (await next())?.kind], ["sound", "sound"]);
  // the first message of 320 ms was played, and 100 ms of the second
  const first = (sound.length / 24_000) * 1000;
  for (let ms = 0; ms < first + 100; ms += 20) wire.send(new Int16Array(480), ms * 24);
  assert.deepEqual(await next(), { kind: "clear" });
  const cut = sent.filter(({ type }) => type === "conversation.item.truncate");
  assert.deepEqual(cut, [
    { type: "conversation.item.truncate", item_id: "second", content_index: 0, audio_end_ms: 100 },
  ]);
  assert.deepEqual(await next(), { kind: "busy", on: false });
  assert.deepEqual(await next(), { kind: "busy", on: true });
});
