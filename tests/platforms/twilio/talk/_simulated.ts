import { startStream } from "../../../../platforms/twilio/talk/stream.ts";
import type { AgentConnection, AgentSocket, AgentTurn } from "../../../../src/call/connection/mod.ts";
import { connectionFailure, TEXT_ONLY } from "../../../../src/call/connection/mod.ts";
import {
  type CallerVoice,
  type VoiceOptions,
  type VoiceParts,
  voiceConnection,
} from "../../../../src/call/voice/mod.ts";
import { HUMMING } from "../../../call/voice/_tones.ts";
import { TestClock } from "../../../test_clock.ts";
import { type BotReply, ScriptedBot } from "./_bot.ts";

/** A caller and a bot on one clock that a test moves, with a socket between them that takes no time. */
export interface SimulatedCall {
  readonly clock: TestClock;
  readonly bot: ScriptedBot;
  readonly connection: AgentConnection;
  /** Moves the clock until the work is done. */
  readonly done: <Result>(work: Promise<Result>) => Promise<Result>;
}

export function simulate(
  replies: readonly (BotReply | undefined)[],
  options: VoiceOptions = {},
  voice: CallerVoice = HUMMING,
  parts: Partial<VoiceParts> = {},
): SimulatedCall {
  const clock = new TestClock();
  const messages: unknown[] = [];
  let [isOpen, isNormal] = [true, true];
  let wake = () => {};
  const bot = new ScriptedBot(
    {
      send: (message) => {
        messages.push(message);
        wake();
      },
      close: (code = 1005) => {
        [isOpen, isNormal] = [false, code === 1000 || code === 1005];
        wake();
      },
    },
    replies,
  );
  const receiveJson: AgentSocket["receiveJson"] = async ({ signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const message = messages.shift();
      if (message !== undefined) return JSON.parse(JSON.stringify(message));
      if (!isOpen && isNormal) return undefined;
      if (!isOpen) throw connectionFailure("tones", "ended-early", "it broke");
      await new Promise<void>((resolve) => {
        wake = () => {
          signal.removeEventListener("abort", wake);
          resolve();
        };
        signal.addEventListener("abort", wake);
      });
    }
  };
  const socket: AgentSocket = {
    protocol: "",
    get isOpen() {
      return isOpen;
    },
    waiting: 0,
    send: (message) => bot.hear(message),
    receive: () => Promise.reject(new Error("not used")),
    receiveJson,
    readJson: () => {
      throw new Error("not used");
    },
    close: async () => {
      isOpen = false;
    },
  };
  const facts = { name: "tones", capabilities: { ...TEXT_ONLY, text: false, voice: true, opening: true } };
  const dial = async () => startStream(socket, { name: "tones", customParameters: {} });
  return {
    clock,
    bot,
    connection: voiceConnection(facts, options, { dial, voice, clock, ...parts }),
    done: async (work) => {
      const settled = await clock.advanceUntilDone(work, 1);
      if (settled.status === "rejected") throw settled.reason;
      return settled.value;
    },
  };
}

/** The words of a turn, and what else happened in it. */
export function wordsOf({ events }: AgentTurn): readonly unknown[] {
  return events.map((event) => (event.kind === "says" ? event.text : event));
}

/** How a call of these tests is opened. */
export function openOptions(signal = new AbortController().signal) {
  return { variables: {}, mocks: [], allowRealTools: false, signal, pauseClock: () => () => {} };
}
