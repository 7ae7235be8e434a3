import { randomBytes } from "node:crypto";
import { defined, dropPromise, shorten, startTimeLimit, untilAborted } from "../../../src/base/values/mod.ts";
import { connectionFailure } from "../../../src/call/connection/mod.ts";
import type { CarrierListener, SessionCarrier } from "./carrier.ts";
import { readWorkerMessage, writeRequest } from "./messages.ts";
import type { JoinRoom, LeaveReason, RoomLink } from "./room_link.ts";
import { moment } from "./session.ts";
import { deleteToken, joinToken, type RoomKeys } from "./token.ts";
import type { Worker } from "./worker.ts";

/** Where agents and callers meet, and which agent is called. */
export interface RoomTarget {
  /** Name of the agent in errors. */
  readonly name: string;
  readonly url: string;
  readonly keys: RoomKeys;
  /** Name under which the worker is registered. Absent: workers without a name join every new room. */
  readonly agentName?: string | undefined;
  /** For the agent's job. */
  readonly metadata: string;
  /** How long the agent may take to join and answer, in milliseconds. */
  readonly startTimeoutMs: number;
  readonly join: JoinRoom;
  readonly signal: AbortSignal;
  /** Deletes the room. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How the caller hears and speaks. Absent: in text. */
  readonly sound?: { readonly rate: number; readonly take: (samples: Int16Array) => void };
}

/** An agent in a room. */
export interface RoomWorker extends Worker {
  /** Takes the caller's sound. */
  readonly speak: (samples: Int16Array) => void;
  /** Resolves when the agent has left, or the room is lost. */
  readonly left: Promise<void>;
}

/** The stream of messages with an agent's session. */
const TOPIC = "lk.agent.session";
/** The agent listens to messages once its session has begun; until then they are lost. */
const ASK_AGAIN_MS = 300;
/** How long the deletion of a room may take, in milliseconds. */
const DELETE_MS = 2_000;
/** How an agent leaves that ends the call; any other way is a fault. */
const ENDS: readonly LeaveReason[] = ["CLIENT_INITIATED", "ROOM_DELETED"];

/**
 * Joins a new room and waits for the agent, until it answers.
 *
 * @throws {ConnectionError} `key`, `unreachable`, `ended-early`.
 */
export async function connectRoom(target: RoomTarget): Promise<RoomWorker> {
  const { name, startTimeoutMs, signal, agentName } = target;
  using limit = startTimeLimit(startTimeoutMs, signal);
  const meeting = new Meeting(target);
  try {
    await limit.until(meeting.join());
    await limit.until(meeting.answer(limit.signal));
    return meeting.worker();
  } catch (error) {
    await meeting.leave();
    if (!limit.expired()) throw error;
    const state = meeting.isMet
      ? `its agent joined the room, and did not answer within ${startTimeoutMs} ms`
      : `no agent joined the room within ${startTimeoutMs} ms`;
    const hint = agentName === undefined ? "that its agentName is the one here, if it has one" : "its agentName";
    throw connectionFailure(name, "unreachable", state, {
      hint: `Check that a worker runs for this server, and ${hint}; or raise startTimeoutMs`,
    });
  }
}

/** A caller and an agent in a room. */
class Meeting {
  readonly #target: RoomTarget;
  readonly #room = `callweave_${randomBytes(12).toString("hex")}`;
  readonly #token: string;
  #link: RoomLink | undefined;
  #isGone = false;
  #agent: string | undefined;
  #speak: (samples: Int16Array) => void = () => {};
  #listener: CarrierListener | undefined;
  /** What arrived before somebody listened. */
  #early: Uint8Array[] = [];
  #failure: string | undefined;
  #hasLeft = false;
  readonly #met = moment<string>();
  readonly #answered = moment();
  readonly #left = moment();

  constructor(target: RoomTarget) {
    this.#target = target;
    const { keys, agentName, metadata } = target;
    const agent = agentName === undefined ? undefined : { agentName, metadata };
    this.#token = joinToken(keys, { identity: "callweave-caller", room: this.#room, agent });
  }

  get isMet(): boolean {
    return this.#agent !== undefined;
  }

  async join(): Promise<void> {
    const { url, join, sound } = this.#target;
    const joining = join({
      url,
      token: this.#token,
      topics: [TOPIC],
      ...defined({ hears: sound?.rate }),
      listener: {
        agent: (identity) => {
          this.#agent ??= identity;
          this.#met.resolve(identity);
        },
        left: (identity, reason) => {
          if (identity === this.#agent) this.#end(reason, "left the room");
        },
        lost: (reason) => this.#end(reason, "is not known to be there: the room was lost"),
        bytes: ({ from, topic, bytes }) => {
          if (topic === TOPIC && from === this.#agent) this.#take(bytes);
        },
        sound: (from, samples) => {
          if (from === this.#agent) sound?.take(samples);
        },
      },
    });
    try {
      this.#link = await joining;
    } catch (cause) {
      throw this.#unjoined(cause);
    }
    // whoever waited may have gone
    if (this.#isGone) await this.#link.leave();
    else if (sound) this.#speak = await this.#link.speak(sound.rate);
  }

  #unjoined(cause: unknown): Error {
    const { name, keys } = this.#target;
    const said = cause instanceof Error && cause.message !== "" ? cause.message : "no reason is given";
    const words = [this.#token, keys.secret, keys.key].reduce((text, each) => text.replaceAll(each, "[key]"), said);
    const kind = /\b40[13]\b|unauthorized|invalid token|permission/i.test(words) ? "key" : "unreachable";
    return connectionFailure(name, kind, `the room cannot be joined: ${shorten(words, 300)}`);
  }

  /** Waits for the agent, and asks it until it answers. */
  async answer(signal: AbortSignal): Promise<void> {
    const { name } = this.#target;
    await untilAborted(Promise.race([this.#met.promise, this.#left.promise]), signal);
    const again = setInterval(() => this.#send(writeRequest("ready", { kind: "getSessionState" })), ASK_AGAIN_MS);
    try {
      this.#send(writeRequest("ready", { kind: "getSessionState" }));
      await untilAborted(Promise.race([this.#answered.promise, this.#left.promise]), signal);
    } finally {
      clearInterval(again);
    }
    if (this.#hasLeft)
      throw connectionFailure(
        name,
        "ended-early",
        `its agent ${this.#failure ?? "left the room"} before the call began`,
      );
  }

  #send(bytes: Uint8Array): void {
    if (this.#agent === undefined || !this.#link || this.#hasLeft) return;
    const sent = this.#link.send({ topic: TOPIC, to: this.#agent, bytes });
    sent.catch(() => this.#end("SEND_FAILED", "cannot be reached any more"));
  }

  #take(bytes: Uint8Array): void {
    if (this.#listener) this.#listener.message(bytes);
    else this.#early.push(bytes);
    if (isAnswer(bytes)) this.#answered.resolve();
  }

  #end(reason: LeaveReason, words: string): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    if (!ENDS.includes(reason)) this.#failure = `${words} (${reason})`;
    this.#left.resolve();
    this.#listener?.end();
  }

  async leave(): Promise<void> {
    if (this.#isGone) return;
    this.#isGone = true;
    await this.#link?.leave();
    if (this.#link) await this.#deleteRoom();
  }

  /** Ends the agent's job, which else may wait for another caller. */
  async #deleteRoom(): Promise<void> {
    const { url, keys, fetch: send = fetch } = this.#target;
    const address = new URL("/twirp/livekit.RoomService/DeleteRoom", url.replace(/^ws/, "http"));
    try {
      const response = await send(address, {
        method: "POST",
        headers: { authorization: `Bearer ${deleteToken(keys, this.#room)}`, "content-type": "application/json" },
        body: JSON.stringify({ room: this.#room }),
        signal: AbortSignal.timeout(DELETE_MS),
        redirect: "error",
      });
      await response.body?.cancel();
    } catch {
      // an empty room is deleted by the server after a while
    }
  }

  worker(): RoomWorker {
    const carrier: SessionCarrier = {
      start: (listener) => {
        this.#listener = listener;
        for (const bytes of this.#early.splice(0)) listener.message(bytes);
        if (this.#hasLeft) listener.end();
      },
      send: (message) => this.#send(message),
      close: () => dropPromise(this.leave()),
    };
    return {
      callId: this.#room,
      carrier,
      left: this.#left.promise,
      speak: (samples) => {
        if (!this.#hasLeft && !this.#isGone) this.#speak(samples);
      },
      failure: async () => this.#failure,
      tellsFailure: true,
      stop: async () => await this.leave(),
    };
  }
}

/** Whether a message is an answer. One that cannot be read is left to whoever reads it. */
function isAnswer(bytes: Uint8Array): boolean {
  try {
    return readWorkerMessage(bytes).kind === "answer";
  } catch {
    return true;
  }
}
