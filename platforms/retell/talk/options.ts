import { ScenarioError } from "../../../src/base/errors.ts";
import { OPTION } from "../../../src/base/values/mod.ts";
import type { CallVoice } from "../../../src/call/voice/mod.ts";
import { AGENT_ID, type AgentOptions, CALL_VOICE, checkTalkOptions } from "../../talking/mod.ts";

/** Options of `connect.retell()`. */
export interface RetellOptions extends AgentOptions {
  /** Id of a voice agent or chat agent. */
  readonly agentId: string;
  /** Number of the version. Default: the newest when the run starts, which can be a draft. */
  readonly version?: string;
  /**
   * Talks to a chat agent by chats, as its customers do, in place of the playground: its tools run, no mock reaches them,
   * and the chats are stored and billed. Default: false.
   */
  readonly chat?: boolean;
  /**
   * Calls a voice agent by voice, as web calls do, in place of text: its tools run, no mock reaches them, and the calls
   * are stored and billed. It needs the packages `werift` and `opusscript`. Default: false.
   */
  readonly voice?: CallVoice;
}

/** @throws {ScenarioError} `invalid-option`. */
export function checkRetell(given: RetellOptions): RetellOptions {
  const rules = { agentId: AGENT_ID, chat: OPTION.switch, voice: CALL_VOICE };
  const options = checkTalkOptions(given, rules, { agentId: '"agent_…"' });
  if (!options.chat || !options.voice) return options;
  throw new ScenarioError("Cannot connect: chats are in text", {
    code: "invalid-option",
    path: ["voice"],
    hint: "Remove chat, or voice",
  });
}
