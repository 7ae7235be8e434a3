import { defined, OPTION, rule, startTimeLimit } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentSocket,
  type ConnectionRecord,
  createAgentClient,
  type OpenOptions,
  openAgentSocket,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { type AgentOptions, checkTalkOptions } from "../../talking/mod.ts";
import { type BotTurns, startTurns } from "./turns.ts";

/** Options of `connect.pipecat()`. */
export interface PipecatOptions extends Omit<AgentOptions, "baseUrl" | "fetch"> {
  /** Address of the bot's socket, such as `ws://127.0.0.1:7860/ws`. */
  readonly url: string;
  /** Whether the bot speaks first. Default: true. A bot that does not is silent until the time limit of a turn. */
  readonly opening?: boolean;
  /**
   * Names of the bot's functions that transfer a call: a bot that hangs up after one of them has transferred it. Without
   * them, nothing tells a transfer from another end.
   */
  readonly transfers?: readonly string[];
  /**
   * How long the end of a call waits for the bot to hang up, in milliseconds: bots close the connection after their last
   * words. At most 8,000. Default: 1,000.
   */
  readonly hangUpMs?: number;
}

const HANG_UP_MS = 1_000;
/** Closing a call has a time limit of its own. */
const MOST_HANG_UP_MS = 8_000;

const RULES = {
  url: rule("an address that starts with ws:// or wss://", (value) => typeof value === "string" && isAddress(value)),
  opening: OPTION.switch,
  transfers: OPTION.texts,
  hangUpMs: rule(
    `a number of milliseconds from 0 to ${MOST_HANG_UP_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_HANG_UP_MS,
  ),
};

/**
 * Connects to a bot of Pipecat 1.13 or later in text. Its development runner serves the socket, if the bot's
 * `transport_params` have an entry `"eval"`. No key is needed. The tools of the bot run.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function pipecatConnection(given: PipecatOptions): AgentConnection {
  const options = checkTalkOptions(given, RULES, { url: '"ws://127.0.0.1:7860/ws"' });
  const { url, version, name = `pipecat:${new URL(url).host}`, opening = true, hangUpMs = HANG_UP_MS } = options;
  const { keyVariable, throttleLimitMs, transfers } = options;
  // the client keeps the key, and takes it out of messages
  const client = createAgentClient(name, { url: url.replace(/^ws/, "http"), ...defined({ keyVariable }) });
  return {
    name,
    ...defined({ version }),
    capabilities: {
      ...TEXT_ONLY,
      toolArguments: true,
      endSignal: true,
      transferSignal: transfers !== undefined,
      opening,
      version: version !== undefined,
    },
    open: async (open) => {
      const parts = { name, url, client, open, opening, hangUpMs, transfers: transfers ?? [] };
      return await openCall(parts, await openSocket(parts, throttleLimitMs));
    },
  };
}

interface CallParts {
  readonly name: string;
  readonly url: string;
  readonly client: AgentClient;
  readonly open: OpenOptions;
  readonly opening: boolean;
  readonly hangUpMs: number;
  readonly transfers: readonly string[];
}

async function openSocket(
  { name, url, client, open }: CallParts,
  throttleLimitMs: number | undefined,
): Promise<AgentSocket> {
  const { signal, pauseClock } = open;
  const address = new URL(url);
  // a bot with the older server of evals reads it there, all others in the first message
  address.searchParams.set("skip_tts", "true");
  return await openAgentSocket(name, {
    url: address.href,
    signal,
    pauseClock,
    withoutSecrets: client.withoutSecrets,
    ...(client.key === undefined ? {} : { headers: { authorization: `Bearer ${client.key}` } }),
    ...defined({ throttleLimitMs }),
  });
}

/** The version of RTVI that the messages here have. */
const RTVI_VERSION = "2.2.0";

async function openCall(parts: CallParts, socket: AgentSocket): Promise<AgentCall> {
  const { name, client, open, opening, hangUpMs, transfers } = parts;
  let sent = 0;
  const send = (type: string, data: object) => {
    sent += 1;
    socket.send({ label: "rtvi-ai", type, id: String(sent), data });
  };
  const tell = (t: string, d: object) => send("client-message", { t, d });
  const { signal } = open;
  const turns = startTurns(socket, { name, signal, transfers, withoutSecrets: client.withoutSecrets });
  try {
    tell("eval-connect", { skip_tts: true, capture_bot_audio: false });
    send("client-ready", { version: RTVI_VERSION, about: { library: "callweave" } });
    await turns.ready();
    // by default, calls of functions come without a name
    tell("eval-configure", { function_call_report_level: { "*": "full" } });
    const said = opening ? await turns.next("opening") : { events: [] };
    return {
      opening: said,
      say: async (content) => {
        const before = await turns.waiting();
        if (before.ended) return before;
        send("send-text", { content, options: { run_immediately: true, audio_response: false } });
        const { events, ...turn } = await turns.next("reply");
        return { events: [...before.events, ...events], ...turn };
      },
      close: async ({ signal }) => {
        const ending = open.signal.aborted ? {} : await hangUp(turns, signal, hangUpMs);
        if (socket.isOpen) tell("eval-cancel", {});
        await socket.close();
        return ending;
      },
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}

/** Waits for the bot to hang up. A call that broke meanwhile was over: how it would have ended is not known. */
async function hangUp(turns: BotTurns, signal: AbortSignal, ms: number): Promise<ConnectionRecord> {
  using limit = startTimeLimit(ms, signal);
  try {
    return await limit.until(turns.end(limit.signal));
  } catch {
    return {};
  }
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "ws:" || protocol === "wss:") && username === "" && password === "";
}
