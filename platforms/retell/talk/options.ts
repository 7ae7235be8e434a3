import { OPTION } from "../../../src/base/values/mod.ts";
import { AGENT_ID, type AgentOptions, checkTalkOptions } from "../../talking/mod.ts";

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
}

/** @throws {ScenarioError} `invalid-option`. */
export function checkRetell(given: RetellOptions): RetellOptions {
  return checkTalkOptions(given, { agentId: AGENT_ID, chat: OPTION.switch }, { agentId: '"agent_…"' });
}
