import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { run, scenario } from "../../mod.ts";
import { type ChatRequest, startChatServer } from "../chat_server.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { startBot } from "./_bot.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";
import { FREQUENCIES, LONG_REPLY, TEXTS } from "./_tones.mjs";

const pipecat = needsSoftware("Pipecat");

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

test("an interruption of a bot of Pipecat by voice is measured", { ...pipecat.options, timeout: 300_000 }, async () => {
  await using model = await startChatServer(({ messages }: ChatRequest) => {
    const last = messages.at(-1);
    if (last?.role !== "user") return { say: "Lamp shop, how can I help?" };
    return { say: last.content?.includes("order") ? "It is shipped and arrives on Friday." : LONG_REPLY };
  });
  const tones = Object.fromEntries(TEXTS.map((text, at) => [text, FREQUENCIES[at]]));
  const env = { DESK_MODEL: model.url, DESK_TONES: JSON.stringify(tones) };
  const script = join(import.meta.dirname ?? ".", "desk_bot.py");
  await using bot = await startBot({ software: pipecat.folder, script, env });
  const agent = connect.pipecat({ url: `${bot.url}?yields=on`, voice: VOICE });
  const report = await run(agent, [interrupts], { store: false, connection: { allowRealTools: true } });
  assert.deepEqual(statuses(report), ["pass"]);
  const [result] = report.results;
  const [found] = result?.connection?.voice?.interruptions ?? [];
  // a busy machine begins later, at the next frame of the agent's words
  assert.ok(found && found.afterMs >= AFTER_MS - FRAME_MS, JSON.stringify(found));
  assert.ok(found.stoppedMs !== null && found.stoppedMs >= WORDS_MS, JSON.stringify(found));
  const said = result?.transcript.find(({ content }) => content.startsWith("There is no order B-77."));
  assert.ok(said && said.content.length < LONG_REPLY.length, "the reply was cut");
});
