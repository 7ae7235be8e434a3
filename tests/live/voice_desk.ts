import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { connect } from "../../api/connect.ts";
import type { AgentConnection } from "../../mod.ts";
import { startChatServer } from "../chat_server.ts";
import { holdDesk } from "../platforms/connections/_desk_runs.ts";
import { needsProgram } from "../programs.ts";
import { startBot } from "./_bot.ts";
import { answerFor, running } from "./_desk_turns.ts";
import { startSipDesk } from "./_sip_desk.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";
import { FREQUENCIES, TEXTS } from "./_tones.mjs";

const pipecat = needsSoftware("Pipecat");
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

describe("the help desk's scenarios have the same verdicts by voice", { concurrency: 2 }, () => {
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
