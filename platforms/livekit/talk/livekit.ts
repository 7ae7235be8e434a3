import pLimit from "p-limit";
import { defined, madeOnce, startTimeLimit } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentConnection,
  type CallRequest,
  type ConnectionError,
  connectionFailure,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { type VoiceFacts, type VoiceParts, type VoiceSetup, voiceConnection } from "../../../src/call/voice/mod.ts";
import { voiceOptionsOf } from "../../talking/mod.ts";
import { type OpenedSession, openSession } from "./call.ts";
import {
  checkLiveKit,
  END_TOOLS,
  HANG_UP_MS,
  keysOf,
  type LiveKitOptions,
  metadataOf,
  START_TIMEOUT_MS,
} from "./options.ts";
import { connectRoom, type RoomTarget, type RoomWorker } from "./room.ts";
import type { JoinRoom } from "./room_link.ts";
import { ROOM_RATE, soundQueue, startRoomWire } from "./room_wire.ts";
import { loadRtc } from "./rtc.ts";
import { connectWorker, processGroups, type Worker } from "./worker.ts";

/** What workers report. Tools run in the worker, where no mock reaches them. */
const CAPABILITIES = { ...TEXT_ONLY, nodeEachTurn: true, toolArguments: true, opening: true, endSignal: true };

/** What calls need besides the options of the user. */
export interface LiveKitParts {
  /** Loads what joins rooms. Default: the package `@livekit/rtc-node`. */
  readonly loadRtc: () => Promise<JoinRoom>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Moves the sound of calls by voice. Default: the machine's monotonic clock. */
  readonly clock?: VoiceParts["clock"];
}

/** Starts the worker of a call, or meets it. */
type StartWorker<Made extends Worker = Worker> = (
  request: CallRequest,
  metadata: string,
  sound?: RoomTarget["sound"],
) => Promise<Made>;

/**
 * Connects to an agent of LiveKit Agents: in text on this machine, without a server, a room or a key, or in a room of a
 * server, in text or by voice. The nodes of a call are the ids of its agents.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function livekitConnection(given: LiveKitOptions, parts: LiveKitParts = { loadRtc }): AgentConnection {
  const options = checkLiveKit(given);
  const { command, listen, url, agentName, version, startTimeoutMs = START_TIMEOUT_MS } = options;
  const { endTools = END_TOOLS, transfers, hangUpMs = HANG_UP_MS } = options;
  const place = url === undefined ? (command?.at(-1) ?? listen) : (agentName ?? new URL(url).host);
  const name = options.name ?? `livekit:${place}`;
  const meet = url === undefined ? undefined : uncounted(inRoom(name, url, options, parts));
  const start: StartWorker = meet ?? uncounted(onMachine(name, options));
  const greet = async (worker: Worker, opens: boolean | undefined, signal: AbortSignal) =>
    await openSession({ name, worker, opens, endTools, transfers: transfers ?? [], hangUpMs, signal });
  const look = async (request: CallRequest): Promise<OpenedSession> => {
    const worker = await start(request, metadataOf(options, {}));
    using limit = startTimeLimit(startTimeoutMs, request.signal);
    try {
      return await greet(worker, options.opening, limit.signal);
    } catch (error) {
      if (!limit.expired()) throw error;
      throw connectionFailure(name, "silence", `its agent did not finish its first words within ${startTimeoutMs} ms`, {
        hint: "Raise startTimeoutMs, or set opening: false if the agent does not speak first",
      });
    }
  };
  const factsOf = (opens: boolean | undefined, tools?: readonly string[]): VoiceFacts => ({
    name,
    ...defined({ version }),
    capabilities: {
      ...CAPABILITIES,
      opening: opens ?? true,
      startVariables: options.startVariables === true,
      transferSignal: transfers !== undefined,
      version: version !== undefined,
      ...(voice ? { text: false, voice: true, transcripts: true } : {}),
    },
    ...(tools ? { tools: tools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
  });
  const find = async (request: CallRequest): Promise<VoiceFacts> => {
    const { worker, opened, tools } = await look(request);
    await worker.stop();
    return factsOf(options.opening ?? opened, tools);
  };
  const voice = voiceOptionsOf(options.voice, options.opening);
  if (voice && meet) {
    const dial = async (open: OpenOptions) => await dialRoom({ name, meet, open, options });
    const { clock } = parts;
    return voiceConnection(factsOf(options.opening), voice, {
      dial,
      look: async (request) => ({ facts: await find(request), dial }),
      ...defined({ clock }),
    });
  }
  const connectionTo = (facts: VoiceFacts): AgentConnection => ({
    ...facts,
    // a worker that somebody else starts is there for a call
    ...(listen === undefined
      ? {
          prepare: async (request) => connectionTo(await find(request)),
        }
      : {}),
    open: async (open) => {
      const worker = await start(open, metadataOf(options, open.variables));
      const opens = isLookedUp(facts) ? facts.capabilities.opening : options.opening;
      return await callOf(name, await greet(worker, opens, open.signal), open, version);
    },
  });
  return connectionTo(factsOf(options.opening));
}

/** Whether it is known of an agent what it does first. */
function isLookedUp({ tools }: VoiceFacts): boolean {
  return tools !== undefined;
}

/** A start belongs to the test, not to the agent's answer: the clock of the call stands still. */
function uncounted<Made extends Worker>(start: StartWorker<Made>): StartWorker<Made> {
  return async (request, metadata, sound) => {
    const resume = request.pauseClock();
    try {
      return await start(request, metadata, sound);
    } finally {
      resume();
    }
  };
}

/** Starts workers that connect to this machine, or waits for them. */
function onMachine(name: string, options: LiveKitOptions): StartWorker {
  const { listen, startTimeoutMs = START_TIMEOUT_MS } = options;
  // workers of one address are told apart by their order
  const running = processGroups();
  const inTurn = pLimit(listen === undefined ? Number.POSITIVE_INFINITY : 1);
  return async ({ signal }) =>
    await inTurn(async () => {
      signal.throwIfAborted();
      return await connectWorker({ ...options, name, startTimeoutMs, signal, running });
    });
}

/** Meets agents in rooms, each call in one of its own. */
function inRoom(name: string, url: string, options: LiveKitOptions, parts: LiveKitParts): StartWorker<RoomWorker> {
  const { agentName, startTimeoutMs = START_TIMEOUT_MS } = options;
  const keys = keysOf(options);
  const load = madeOnce(parts.loadRtc);
  return async ({ signal }, metadata, sound) => {
    const join = await load();
    const { fetch } = parts;
    const target = { name, url, keys, agentName, metadata, startTimeoutMs, join, signal, fetch };
    return await connectRoom({ ...target, ...defined({ sound }) });
  };
}

/** Calls an agent by voice. */
async function dialRoom({
  name,
  meet,
  open,
  options,
}: {
  readonly name: string;
  readonly meet: StartWorker<RoomWorker>;
  readonly open: OpenOptions;
  readonly options: LiveKitOptions;
}): Promise<VoiceSetup> {
  const sound = soundQueue();
  const worker = await meet(open, metadataOf(options, open.variables), { rate: ROOM_RATE, take: sound.put });
  try {
    const { transfers = [] } = options;
    const checkTools = (ran: readonly string[]) => {
      if (!open.allowRealTools && ran.length > 0) throw refused(name, "tools ran that cannot be mocked", ran);
    };
    const call = await startRoomWire({ name, worker, sound, transfers, checkTools, signal: open.signal });
    if (!open.allowRealTools && call.tools.length > 0)
      throw refused(name, "its tools cannot be mocked and would run", call.tools);
    return { callId: worker.callId ?? name, wire: call.wire, node: call.node };
  } catch (error) {
    await worker.stop();
    throw error;
  }
}

function refused(name: string, state: string, tools: readonly string[]): ConnectionError {
  const hint = "Set allowRealTools: true (--allow-real-tools) if they may run";
  return connectionFailure(name, "refused", `${state}: ${tools.join(", ")}`, { hint });
}

async function callOf(
  name: string,
  session: OpenedSession,
  open: OpenOptions,
  version: string | undefined,
): Promise<AgentCall> {
  if (!open.allowRealTools && session.tools.length > 0) {
    await session.worker.stop();
    throw refused(name, "its tools cannot be mocked and would run", session.tools);
  }
  return {
    opening: session.opening,
    say: async (text) => {
      const turn = await session.say(text, open);
      // an agent after a handoff may have tools that the first one lacks
      const ran = turn.events.flatMap((event) => (event.kind === "tool" ? [event.call.name] : []));
      if (open.allowRealTools || ran.length === 0) return turn;
      throw refused(name, "tools ran that cannot be mocked", ran);
    },
    close: async ({ signal }) => {
      const ended = await session.ended(signal).finally(() => session.worker.stop());
      return defined({ version, ended, callId: session.worker.callId });
    },
  };
}
