import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect } from "../../api/connect.ts";
import type { AgentConnection } from "../../mod.ts";
import { startChatServer } from "../chat_server.ts";
import { holdDesk } from "../platforms/connections/_desk_runs.ts";
import { needsProgram } from "../programs.ts";
import { placeAgent } from "./_agents.ts";
import { startBot } from "./_bot.ts";
import { type DeskTurns, startDeskTurns } from "./_desk_server.ts";
import { answerFor, running } from "./_desk_turns.ts";
import { startRoomServer, startWorker } from "./_rooms.ts";
import { startSipDesk } from "./_sip_desk.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";
import { FREQUENCIES, TEXTS } from "./_tones.mjs";

const agents = needsSoftware("LiveKit Agents");
const rooms = needsSoftware("LiveKit's server");
const pipecat = needsSoftware("Pipecat");
const placed = placeAgent(agents.folder, "desk_nodes_agent.mjs", "voice");
const TRANSFERS = ["transfer_call"];
const START_MS = 120_000;
/** How the caller speaks and hears. Programs on a busy machine make pauses, and are slow to start. */
const VOICE = { ...toneModels(), hangUpMs: 8_000, turns: { endMs: 1_000, giveUpMs: START_MS } };

/** Telephones that take one call at a time each. */
const LINES = 3;

/** One agent behind several lines. */
function behind(lines: readonly AgentConnection[]): AgentConnection {
  const free = [...lines];
  const [first] = lines;
  if (!first) throw new Error("there is no line");
  const { prepare: _, ...facts } = first;
  return {
    ...facts,
    open: async (options) => {
      const line = free.shift() ?? assert.fail("all lines are busy");
      const call = await line.open(options);
      const close: typeof call.close = (given) => call.close(given).finally(() => free.push(line));
      return { ...call, close };
    },
  };
}

let turns: DeskTurns;

before(async () => {
  turns = await startDeskTurns();
});
after(async () => {
  placed.remove();
  await turns[Symbol.asyncDispose]();
});

describe("the help desk's scenarios have the same verdicts by voice", { concurrency: 3 }, () => {
  test("with an agent of LiveKit Agents in a room", {
    skip: agents.options.skip || rooms.options.skip,
    timeout: 480_000,
  }, async () => {
    await using server = await startRoomServer(rooms.folder);
    const env = { ...server.env, DESK_TURNS: turns.url };
    await using _ = await startWorker(placed.file, { env, name: "nodes", speaks: true });
    const given = {
      url: server.url,
      agentName: "nodes",
      env: { ...server.env },
      name: "desk",
      transfers: TRANSFERS,
      startTimeoutMs: START_MS,
    };
    await holdDesk(running("a room", connect.livekit({ ...given, voice: VOICE })), 3, 1);
  });

  test("with a bot of Pipecat", { ...pipecat.options, timeout: 480_000 }, async () => {
    await using model = await startChatServer(({ messages }) => answerFor(messages));
    const tones = Object.fromEntries(TEXTS.map((text, at) => [text, FREQUENCIES[at]]));
    const env = { DESK_MODEL: model.url, DESK_TONES: JSON.stringify(tones) };
    const script = join(import.meta.dirname ?? ".", "desk_bot.py");
    await using bot = await startBot({ software: pipecat.folder, script, env });
    const agent = connect.pipecat({ url: bot.url, voice: VOICE, transfers: TRANSFERS });
    await holdDesk(running("a bot", agent), 6, 1);
  });

  test("with baresip, by telephone", { ...needsProgram("baresip"), timeout: 480_000 }, async () => {
    const desks = await Promise.all(Array.from({ length: LINES }, () => startSipDesk()));
    try {
      const lines = desks.map(({ to }) => connect.sip({ to, name: "desk", ...VOICE }));
      await holdDesk(running("a telephone", behind(lines)), LINES, 1);
    } finally {
      await Promise.all(desks.map((desk) => desk[Symbol.asyncDispose]()));
    }
  });
});
