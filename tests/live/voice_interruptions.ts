import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { connect } from "../../api/connect.ts";
import { type AgentConnection, run, scenario } from "../../mod.ts";
import { type ChatRequest, startChatServer } from "../chat_server.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { placeAgent } from "./_agents.ts";
import { startBot } from "./_bot.ts";
import { startRoomServer, startWorker } from "./_rooms.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";
import { FREQUENCIES, LONG_REPLY, TEXTS } from "./_tones.mjs";

const agents = needsSoftware("LiveKit Agents");
const rooms = needsSoftware("LiveKit's server");
const pipecat = needsSoftware("Pipecat");
const placed = placeAgent(agents.folder, "desk_agent.mjs", "interrupts");
after(placed.remove);

const START_MS = 120_000;
const VOICE = { ...toneModels(), hangUpMs: 8_000, turns: { endMs: 1_000, giveUpMs: START_MS } };
/** Into the reply. The agent hears the caller's words when they are over, after 1.2 s. */
const AFTER_MS = 1_000;
const WORDS_MS = 600;
const FRAME_MS = 20;
/** An agent that still talks then has not stopped. The reply lasts for longer. */
const STOPS_MS = WORDS_MS + 6_000;

const interrupts = scenario("interrupts")
  .says("Yes, I accept the label.")
  .interrupts({ afterMs: AFTER_MS })
  .says("Where is order A-1042?")
  .includes("no order B-77", "arrives on Friday")
  .stopsWithin(STOPS_MS);

/** Interrupts an agent once. */
async function interruptionOf(agent: AgentConnection) {
  const report = await run(agent, [interrupts], { store: false, connection: { allowRealTools: true } });
  const [result] = report.results;
  const [found] = result?.connection?.voice?.interruptions ?? [];
  return { result, found: found ?? assert.fail(statuses(report).join()), status: statuses(report)[0] };
}

/** An agent yields: when, is measured, and the rest of its reply is not heard. */
async function holdYield(agent: AgentConnection): Promise<void> {
  const { result, found, status } = await interruptionOf(agent);
  assert.equal(status, "pass");
  // a busy machine begins later, at the next frame of the agent's words
  assert.ok(found.afterMs >= AFTER_MS - FRAME_MS, JSON.stringify(found));
  assert.ok(found.stoppedMs !== null && found.stoppedMs >= WORDS_MS, JSON.stringify(found));
  const said = result?.transcript.find(({ content }) => content.startsWith("There is no order B-77."));
  assert.ok(said && said.content.length < LONG_REPLY.length, "the reply was cut");
}

describe("an interruption by voice is measured", () => {
  test("with an agent of LiveKit Agents in a room", {
    skip: agents.options.skip || rooms.options.skip,
    timeout: 300_000,
  }, async () => {
    await using server = await startRoomServer(rooms.folder);
    await using _ = await startWorker(placed.file, { env: server.env, name: "voice", speaks: true });
    const given = { url: server.url, agentName: "voice", env: { ...server.env }, startTimeoutMs: START_MS };
    const agent = (metadata: string) => connect.livekit({ ...given, name: "desk", metadata, voice: VOICE });
    const [, { result, found }] = await Promise.all([holdYield(agent("yields")), interruptionOf(agent("talks_on"))]);
    assert.equal(found.stoppedMs, null);
    const failed = result?.checks.filter(({ passed }) => !passed).map(({ reason }) => reason);
    assert.ok(
      failed?.some((reason) => /talked on when the caller interrupted/.test(reason)),
      failed?.join(),
    );
  });

  test("with a bot of Pipecat", { ...pipecat.options, timeout: 300_000 }, async () => {
    await using model = await startChatServer(({ messages }: ChatRequest) => {
      const last = messages.at(-1);
      if (last?.role !== "user") return { say: "Lamp shop, how can I help?" };
      return { say: last.content?.includes("order") ? "It is shipped and arrives on Friday." : LONG_REPLY };
    });
    const tones = Object.fromEntries(TEXTS.map((text, at) => [text, FREQUENCIES[at]]));
    const env = { DESK_MODEL: model.url, DESK_TONES: JSON.stringify(tones) };
    const script = join(import.meta.dirname ?? ".", "desk_bot.py");
    await using bot = await startBot({ software: pipecat.folder, script, env });
    await holdYield(connect.pipecat({ url: `${bot.url}?yields=on`, voice: VOICE }));
  });
});
