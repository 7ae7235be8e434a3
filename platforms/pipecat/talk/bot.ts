import { randomUUID } from "node:crypto";
import { ScenarioError } from "../../../src/base/errors.ts";
import { defined, madeOnce, OPTION, oneOf, rule, startTimeLimit } from "../../../src/base/values/mod.ts";
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
import { type IceServer, loadRtc, RTC_SERVERS, type Rtc } from "../../../src/call/rtc/mod.ts";
import { type CallVoice, type VoiceParts, type VoiceSetup, voiceConnection } from "../../../src/call/voice/mod.ts";
import { type AgentOptions, CALL_VOICE, checkTalkOptions, voiceOptionsOf } from "../../talking/mod.ts";
import { jsonFraming, protobufFraming } from "./frames.ts";
import { failOf, startState } from "./messages.ts";
import { type BotTurns, startTurns } from "./turns.ts";
import { startBotWire } from "./voice.ts";
import { connectBot, rtcFraming } from "./web_rtc.ts";

/** Options of `connect.pipecat()`. */
export interface PipecatOptions extends Omit<AgentOptions, "baseUrl" | "fetch"> {
  /**
   * Address of the bot's socket, such as `ws://127.0.0.1:7860/ws`. Or, by voice, that of its offers over WebRTC, such as
   * `http://127.0.0.1:7860/api/offer`, for a bot with a `SmallWebRTCTransport`; it needs the packages `werift` and
   * `opusscript`.
   */
  readonly url: string;
  /** Whether the bot speaks first. Default: true. A bot that does not is silent until the time limit of a turn. */
  readonly opening?: boolean;
  /**
   * Names of the bot's functions that transfer a call: a bot that hangs up after one of them has transferred it. Without
   * them, nothing tells a transfer from another end.
   */
  readonly transfers?: readonly string[];
  /**
   * How a bot's socket writes frames. `json`: a bot of Pipecat 1.13 or later with the entry `eval`. `protobuf`: any other,
   * such as one in production; only by voice, and without the names of functions. Default: `json`.
   */
  readonly frames?: "json" | "protobuf";
  /** Calls by voice, in place of text. Default: false. */
  readonly voice?: CallVoice;
  /** Over WebRTC, servers of STUN and TURN for a bot in another network. Default: none. */
  readonly iceServers?: readonly IceServer[];
  /** By voice over a socket, the rate that the bot hears (`audio_in_sample_rate`), in samples per second. Default: 16,000. */
  readonly inputRate?: number;
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
  url: rule(
    "an address that starts with ws://, wss://, http:// or https://",
    (value) => typeof value === "string" && isAddress(value),
  ),
  opening: OPTION.switch,
  transfers: OPTION.texts,
  frames: oneOf("json", "protobuf"),
  voice: CALL_VOICE,
  iceServers: RTC_SERVERS,
  inputRate: rule(
    "a number from 8000 to 48000",
    (value) => typeof value === "number" && value >= 8000 && value <= 48_000,
  ),
  hangUpMs: rule(
    `a number of milliseconds from 0 to ${MOST_HANG_UP_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_HANG_UP_MS,
  ),
};

/** What calls need besides the options of the user. */
export interface PipecatParts extends Partial<VoiceParts> {
  /** Default: the packages `werift` and `opusscript`. */
  readonly loadRtc?: () => Promise<Rtc>;
}

/**
 * Connects to a bot of Pipecat, in text or by voice. For text, it is one of 1.13 or later, whose development runner serves
 * the socket if the bot's `transport_params` have an entry `"eval"`. No key is needed. The tools of the bot run.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function pipecatConnection(given: PipecatOptions, parts: PipecatParts = {}): AgentConnection {
  const options = checkTalkOptions(given, RULES, { url: '"ws://127.0.0.1:7860/ws"' });
  const { url, version, name = `pipecat:${new URL(url).host}`, opening = true, hangUpMs = HANG_UP_MS } = options;
  const { keyVariable, throttleLimitMs, transfers, inputRate = INPUT_RATE, iceServers = [] } = options;
  const voice = voiceOptionsOf(options.voice, opening);
  const frames = /^http/.test(url) ? "webrtc" : (options.frames ?? "json");
  checkFrames(options, frames, voice !== undefined);
  // the client keeps the key, and takes it out of messages
  const to = frames === "webrtc" ? offerUrl(url) : url.replace(/^ws/, "http");
  const client = createAgentClient(name, { url: to, ...defined({ keyVariable, throttleLimitMs }) });
  const facts = {
    name,
    ...defined({ version }),
    capabilities: {
      ...TEXT_ONLY,
      text: voice === undefined,
      voice: voice !== undefined,
      toolArguments: frames === "json",
      endSignal: true,
      transferSignal: transfers !== undefined && frames === "json",
      opening,
      transcripts: voice !== undefined,
      version: version !== undefined,
    },
  };
  const partsOf = (open: OpenOptions): CallParts => {
    const isVoice = voice !== undefined;
    return { name, url, client, open, opening, hangUpMs, transfers: transfers ?? [], frames, inputRate, isVoice };
  };
  if (voice && frames === "webrtc") {
    const load = madeOnce(parts.loadRtc ?? loadRtc);
    const dial = async (open: OpenOptions) => await dialRtc(partsOf(open), await load(), iceServers);
    // packages that are missing are told before the first call
    const look = async () => {
      await load();
      return { facts, dial };
    };
    return voiceConnection(facts, { hangUpMs, ...voice }, { dial, look, ...parts });
  }
  if (voice)
    return voiceConnection(
      facts,
      { hangUpMs, ...voice },
      {
        dial: async (open) => await dialVoice(partsOf(open), await openSocket(partsOf(open), throttleLimitMs)),
        ...parts,
      },
    );
  return {
    ...facts,
    open: async (open) => await openCall(partsOf(open), await openSocket(partsOf(open), throttleLimitMs)),
  };
}

const INPUT_RATE = 16_000;

/** How a bot's frames come. */
type Frames = NonNullable<PipecatOptions["frames"]> | "webrtc";

/** @throws {ScenarioError} `invalid-option`. */
function checkFrames({ frames: given }: PipecatOptions, frames: Frames, isVoice: boolean): void {
  const fail = (state: string, name: string, hint: string) =>
    new ScenarioError(`Cannot connect: ${state}`, { code: "invalid-option", path: [name], hint });
  if (frames === "protobuf" && !isVoice)
    throw fail("frames in protobuf have no text", "frames", "Pass voice: true, too");
  if (frames === "webrtc" && !isVoice)
    throw fail(
      "calls over WebRTC are by voice",
      "url",
      "Pass voice: true (--voice), or the address of a socket (ws://)",
    );
  if (frames === "webrtc" && given !== undefined)
    throw fail("frames are those of a socket", "frames", "Remove frames, or pass the address of a socket (ws://)");
}

/** Where the development runner takes offers, for an address without a path. */
function offerUrl(url: string): string {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = "/api/offer";
  return address.href;
}

interface CallParts {
  readonly name: string;
  readonly url: string;
  readonly client: AgentClient;
  readonly open: OpenOptions;
  readonly opening: boolean;
  readonly hangUpMs: number;
  readonly transfers: readonly string[];
  readonly frames: Frames;
  readonly inputRate: number;
  readonly isVoice: boolean;
}

async function openSocket(
  { name, url, client, open, frames, isVoice }: CallParts,
  throttleLimitMs: number | undefined,
): Promise<AgentSocket> {
  const { signal, pauseClock } = open;
  const address = new URL(url);
  // a bot with the older server of evals reads it there, all others in the first message
  if (frames === "json") address.searchParams.set(isVoice ? "capture_bot_audio" : "skip_tts", "true");
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

/** Calls the bot by voice. */
async function dialVoice(parts: CallParts, socket: AgentSocket): Promise<VoiceSetup> {
  const { name, client, open, transfers, frames, inputRate } = parts;
  const { withoutSecrets } = client;
  const fail = failOf({ name, withoutSecrets });
  const isJson = frames === "json";
  const framing = isJson
    ? jsonFraming(socket, { name, fail, inputRate })
    : protobufFraming(socket, { fail, inputRate });
  const tell = (t: string, d: object) => framing.sendMessage("client-message", { t, d });
  const state = startState();
  try {
    if (isJson) tell("eval-connect", { skip_tts: false, capture_bot_audio: true });
    framing.sendMessage("client-ready", { version: RTVI_VERSION, about: { library: "callweave" } });
    const bye = () => (isJson ? tell("eval-cancel", {}) : undefined);
    const voice = { framing, state, fail, transfers, bye };
    // a bot in production may be without RTVI, and never say that it is ready
    const wire = await startBotWire(socket, { ...voice, isAwaited: isJson, signal: open.signal });
    // by default, calls of functions come without a name
    if (isJson) tell("eval-configure", { function_call_report_level: { "*": "full" } });
    return {
      callId: `pipecat-${randomUUID()}`,
      wire,
      // a function that transfers or hangs up does not return
      record: async () => (isJson ? { toolsCalled: [...state.called, ...state.running.values()] } : {}),
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}

/** Calls the bot by voice over WebRTC. */
async function dialRtc(
  { name, url, client, open, transfers }: CallParts,
  rtc: Rtc,
  iceServers: readonly IceServer[],
): Promise<VoiceSetup> {
  const peer = await connectBot(rtc, { name, url, client, iceServers, open });
  const fail = failOf({ name, withoutSecrets: client.withoutSecrets });
  const framing = rtcFraming(peer, { fail });
  try {
    framing.sendMessage("client-ready", { version: RTVI_VERSION, about: { library: "callweave" } });
    const bye = () => framing.sendMessage("disconnect-bot", {});
    const voice = { framing, state: startState(), fail, transfers, bye };
    // a bot may be without RTVI, and never say that it is ready
    const wire = await startBotWire(peer, { ...voice, isAwaited: false, signal: open.signal });
    return { callId: `pipecat-${randomUUID()}`, wire };
  } catch (error) {
    await peer.close();
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
  return /^(?:ws|http)s?:$/.test(protocol) && username === "" && password === "";
}
