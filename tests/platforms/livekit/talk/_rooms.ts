import { Duplex } from "node:stream";
import { type LiveKitParts, livekitConnection } from "../../../../platforms/livekit/talk/livekit.ts";
import type { LiveKitOptions } from "../../../../platforms/livekit/talk/options.ts";
import type { JoinRoom, RoomListener } from "../../../../platforms/livekit/talk/room_link.ts";
import { Ear, spoken } from "../../../call/voice/_spoken.ts";
import type { PlannedFault } from "../../connections/_faults.ts";
import { KEY } from "../../connections/_runs.ts";
import { faulty, frame, serve, type WorkerOptions, type WorkerRequest, type WorkerSession } from "./_workers.ts";

/** The server's key; the secret must be in no output. */
export const ROOM_KEYS = { LIVEKIT_API_KEY: "APItests", LIVEKIT_API_SECRET: KEY };

export const AGENT = "agent-desk";

/** How a server of rooms differs from the usual one. */
export interface RoomOptions extends Omit<WorkerOptions, "fault"> {
  /** In place of the agent's message of a number, from 1, over all rooms. */
  readonly fault?: PlannedFault | undefined;
  /** Requests that are lost because the agent's session has not begun. Default: 0. */
  readonly deaf?: number;
  /** Why the agent is said to have left at its end. Default: `CLIENT_INITIATED`. */
  readonly leaveReason?: string;
  /** Whether no agent comes. Default: false. */
  readonly isEmpty?: boolean;
  /** Whether the agent's sound is lost. Default: false. */
  readonly isUnheard?: boolean;
  /** In place of joining. */
  readonly refuses?: Error;
}

/** Rooms of a server on this machine, without the package that joins them. */
export interface Rooms {
  readonly join: JoinRoom;
  readonly fetch: typeof fetch;
  readonly taken: WorkerRequest[];
  /** Tokens with which rooms were joined. */
  readonly tokens: string[];
  /** Bodies of the requests that delete rooms. */
  readonly deleted: string[];
  readonly messages: () => number;
  /** Rooms that were joined and not left. */
  readonly open: () => number;
}

/** Starts rooms, in each of which the help desk of the tests is the agent. */
export function startRooms(options: RoomOptions = {}): Rooms {
  const taken: WorkerRequest[] = [];
  const [tokens, deleted]: [string[], string[]] = [[], []];
  let [messages, open] = [0, 0];
  const join: JoinRoom = async ({ token, hears, listener }) => {
    if (options.refuses) throw options.refuses;
    tokens.push(token);
    open += 1;
    const agent = options.isEmpty
      ? undefined
      : startAgent({ options, hears, listener, taken, count: () => ++messages });
    let deaf = options.deaf ?? 0;
    return {
      send: async ({ topic, to, bytes }) => {
        if (topic !== "lk.agent.session" || to !== AGENT) throw new Error("the agent hears nothing of that");
        if (deaf > 0) deaf -= 1;
        else agent?.hear(bytes);
      },
      speak: async () => (samples) => agent?.listen(samples),
      leave: async () => {
        open -= 1;
        agent?.end();
      },
    };
  };
  return {
    join,
    fetch: async (_input, init) => {
      deleted.push(String(init?.body));
      return new Response("{}");
    },
    taken,
    tokens,
    deleted,
    messages: () => messages,
    open: () => open,
  };
}

/** An agent that joins a room in a moment. */
function startAgent({
  options,
  hears,
  listener,
  taken,
  count,
}: {
  readonly options: RoomOptions;
  readonly hears: number | undefined;
  readonly listener: RoomListener;
  readonly taken: WorkerRequest[];
  readonly count: () => number;
}) {
  const { fault, leaveReason = "CLIENT_INITIATED", ...own } = options;
  let rest = Buffer.alloc(0);
  let isSilent = false;
  const leave = (reason: string) => {
    isSilent = true;
    listener.left(AGENT, reason);
  };
  const tell = (bytes: Uint8Array) => {
    if (isSilent) return;
    const number = count();
    const kind = number === fault?.at ? fault.kind : undefined;
    if (kind === "break") return leave("CONNECTION_TIMEOUT");
    if (kind === "half") {
      isSilent = true;
      return listener.lost("SIGNAL_CLOSE");
    }
    if (kind === "stall") isSilent = true;
    else listener.bytes({ from: AGENT, topic: "lk.agent.session", bytes: kind ? faulty(bytes, kind) : bytes });
  };
  const wire = new Duplex({
    read: () => {},
    write: (part: Buffer, _encoding, done) => {
      rest = Buffer.concat([rest, part]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const end = 4 + rest.readUInt32BE(0);
        tell(new Uint8Array(rest.subarray(4, end)));
        rest = rest.subarray(end);
      }
      done();
    },
    final: (done) => {
      if (!isSilent) leave(leaveReason);
      done();
    },
  });
  let voice: RoomVoice | undefined;
  const begin = (session: WorkerSession) => {
    if (hears === undefined) return;
    voice = new RoomVoice(session, hears, (samples) => {
      if (!isSilent) listener.sound(AGENT, options.isUnheard ? new Int16Array(samples.length) : samples);
    });
  };
  const served = serve(wire, hears === undefined ? own : { ...own, opening: "never" }, taken, begin);
  listener.agent(AGENT);
  return {
    listen: (samples: Int16Array) => voice?.hear(samples),
    hear: (bytes: Uint8Array) => void (wire.destroyed || wire.push(frame(bytes))),
    end: () => {
      isSilent = true;
      wire.destroy();
      return served;
    },
  };
}

/**
 * An agent with a voice. Its words arrive at once, so that no machine is too slow to pass them on without gaps; each frame
 * of the caller plays one of theirs.
 */
class RoomVoice {
  readonly #session: WorkerSession;
  readonly #rate: number;
  readonly #play: (samples: Int16Array) => void;
  readonly #ear: Ear;
  #left = 0;
  #played: (() => void) | undefined;
  #hasBegun = false;

  constructor(session: WorkerSession, rate: number, play: (samples: Int16Array) => void) {
    this.#session = session;
    this.#rate = rate;
    this.#play = play;
    this.#ear = new Ear(rate);
  }

  hear(samples: Int16Array): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#say(this.#session.speakFirst(), false);
    }
    const text = this.#ear.hear(samples);
    if (text !== undefined && text !== "")
      void this.#session.hear(text).then(({ say, isOver }) => this.#say(say, isOver));
    this.#left -= samples.length;
    if (this.#left > 0) return;
    const played = this.#played;
    this.#played = undefined;
    played?.();
  }

  #say(text: string, isOver: boolean): void {
    const sound = text === "" ? new Int16Array() : spoken(text, this.#rate);
    this.#play(sound);
    this.#left = sound.length;
    this.#played = () => {
      if (text !== "") this.#session.spoke(text);
      if (isOver) this.#session.leave();
    };
  }
}

/** A connection to the agent in these rooms. */
export function roomConnection(rooms: Rooms, more: LiveKitOptions = {}, parts: Partial<LiveKitParts> = {}) {
  const { join, fetch } = rooms;
  return livekitConnection(
    { url: "ws://127.0.0.1:7880", agentName: "desk", name: "desk", env: ROOM_KEYS, hangUpMs: 0, ...more },
    { loadRtc: async () => join, fetch, ...parts },
  );
}
