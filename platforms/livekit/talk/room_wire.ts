import { dropPromise, SYSTEM_CLOCK, untilAborted } from "../../../src/base/values/mod.ts";
import { type AgentTurn, ConnectionError, connectionFailure } from "../../../src/call/connection/mod.ts";
import { busyEvents, type VoiceWire, type WireEvent } from "../../../src/call/voice/mod.ts";
import type { CarrierListener } from "./carrier.ts";
import { readWorkerMessage, type SessionItem, type WorkerMessage, writeRequest } from "./messages.ts";
import type { RoomWorker } from "./room.ts";
import { moment } from "./session.ts";
import { toolCall } from "./tool_call.ts";

/** Samples per second, in both directions. The package converts them from and to those of the room. */
export const ROOM_RATE = 24_000;

/** A louder sample is no noise of the line. */
const SOFTEST = 64;
/** The words of an agent are told when they were played. Their sound is not later than this, in milliseconds. */
const LATEST_MS = 3_000;

/** Sound that waits to be taken by a call. */
export interface SoundQueue {
  readonly put: (samples: Int16Array) => void;
  /** Sets who takes it, and passes on what has waited. */
  readonly passTo: (take: (samples: Int16Array) => void) => void;
}

/** Keeps the sound that arrives before the call begins. */
export function soundQueue(): SoundQueue {
  const waiting: Int16Array[] = [];
  let take = (samples: Int16Array): void => void waiting.push(samples);
  return {
    put: (samples) => take(samples),
    passTo: (next) => {
      take = next;
      for (const samples of waiting.splice(0)) next(samples);
    },
  };
}

/** What a call by voice in a room needs. */
export interface RoomWireOptions {
  readonly name: string;
  readonly worker: RoomWorker;
  readonly sound: SoundQueue;
  readonly transfers: readonly string[];
  /** Refuses tools that may not run. @throws {ConnectionError} */
  readonly checkTools: (names: readonly string[]) => void;
  readonly signal: AbortSignal;
}

/** A call by voice in a room. */
export interface RoomCall {
  readonly wire: VoiceWire;
  /** Tools of the agent with which the call begins. */
  readonly tools: readonly string[];
  readonly node: () => string;
}

/**
 * Carries the sound of a call in a room, and what the agent's session says of it.
 *
 * @throws {ConnectionError} When the agent does not say what it is.
 */
export async function startRoomWire(options: RoomWireOptions): Promise<RoomCall> {
  const { name, worker, sound, signal } = options;
  const inbox = new RoomInbox(options);
  worker.carrier.start(inbox.listener);
  sound.passTo((samples) => inbox.hear(samples));
  worker.carrier.send(writeRequest("who", { kind: "getAgentInfo" }));
  worker.carrier.send(writeRequest("how", { kind: "getSessionState" }));
  const about = await untilAborted(Promise.race([inbox.info.promise, worker.left]), signal);
  if (!about) throw connectionFailure(name, "ended-early", "its agent left before the call began");
  if (about.error !== "") throw connectionFailure(name, "vendor", `it answers ${about.error}`);
  return {
    tools: about.tools,
    node: () => inbox.agent,
    wire: {
      rate: ROOM_RATE,
      send: (samples) => worker.speak(samples),
      receive: async ({ signal: until }) => await inbox.next(until),
      hangUp: async () => {
        inbox.close();
        await worker.stop();
      },
    },
  };
}

type Answer = Extract<WorkerMessage, { readonly kind: "answer" }>;

/** What has arrived of a call: sound and messages, in order. */
class RoomInbox {
  readonly #options: RoomWireOptions;
  readonly #events: WireEvent[] = [];
  readonly #busy = busyEvents();
  #wake = moment();
  #failure: unknown;
  #isOver = false;
  #lastTools: readonly string[] = [];
  /** Id of the agent that speaks. */
  agent = "";
  readonly info = moment<Answer>();

  constructor(options: RoomWireOptions) {
    this.#options = options;
  }

  readonly listener: CarrierListener = {
    message: (bytes) => {
      try {
        this.add(...this.#read(readWorkerMessage(bytes)));
      } catch (error) {
        this.#failure ??= error instanceof ConnectionError ? error : this.#unreadable(error);
        this.#wake.resolve();
      }
    },
    unreadable: (cause) => {
      this.#failure ??= this.#unreadable(cause);
      this.#wake.resolve();
    },
    end: () => {
      this.#isOver = true;
      this.#wake.resolve();
    },
  };

  /** Whether the agent was heard, be it ever so softly. */
  #isHeard = false;
  readonly #closed = new AbortController();

  hear(samples: Int16Array): void {
    this.#isHeard ||= samples.some((sample) => Math.abs(sample) > SOFTEST);
    this.add({ kind: "sound", samples });
  }

  close(): void {
    this.#closed.abort();
  }

  /** Agent and caller would wait for each other if the agent's first words were lost. */
  async #expectSound(): Promise<void> {
    await SYSTEM_CLOCK.pause(LATEST_MS, this.#closed.signal);
    if (this.#isHeard || this.#closed.signal.aborted) return;
    this.#failure ??= connectionFailure(
      this.#options.name,
      "silence",
      "it says that it has spoken, and none of its sound arrived",
      { hint: "Check that its voice makes sound, and that this machine is not too busy for so many calls at once" },
    );
    this.#wake.resolve();
  }

  add(...events: readonly WireEvent[]): void {
    this.#events.push(...events);
    this.#wake.resolve();
  }

  async next(signal: AbortSignal): Promise<WireEvent | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      const event = this.#events.shift();
      if (event) return event;
      if (this.#isOver) return await this.#end();
      this.#wake = moment();
      await untilAborted(this.#wake.promise, signal);
    }
  }

  #hasSaidEnd = false;

  /** The agent has left. What it has sent is played to its end. */
  async #end(): Promise<WireEvent | undefined> {
    const { name, worker, transfers } = this.#options;
    const failure = await worker.failure("at once");
    if (failure !== undefined) throw connectionFailure(name, "ended-early", `its agent ${failure}`);
    if (this.#hasSaidEnd) return undefined;
    this.#hasSaidEnd = true;
    const isTransfer = this.#lastTools.some((tool) => transfers.includes(tool));
    const as: AgentTurn["ended"] = isTransfer ? "agent_transferred" : "agent_ended";
    return { kind: "ends", as };
  }

  #read(message: WorkerMessage): readonly WireEvent[] {
    if (message.kind === "state") return this.#busy(message.isBusy);
    if (message.kind === "heard") return [{ kind: "words", by: "caller", text: message.text }];
    if (message.kind === "answer") return this.#answer(message);
    if (message.kind !== "items") return [];
    return message.areTools ? this.#tools(message.items) : message.items.flatMap((item) => this.#item(item));
  }

  #answer(answer: Answer): readonly WireEvent[] {
    if (answer.requestId === "how" && answer.error === "") return this.#busy(answer.isBusy);
    if (answer.requestId !== "who") return [];
    if (this.agent === "") this.agent = answer.agentId;
    this.info.resolve(answer);
    return [];
  }

  #item(item: SessionItem): readonly WireEvent[] {
    if (item.kind === "message") {
      const text = item.texts.join("\n").trim();
      // tools of a turn before the caller's last words did not end the call
      if (!item.isAgents) this.#lastTools = [];
      else if (text !== "" && !this.#isHeard) dropPromise(this.#expectSound());
      return item.isAgents && text !== "" ? [{ kind: "words", by: "agent", text }] : [];
    }
    if (item.kind !== "handoff" || item.to === "") return [];
    this.agent = item.to;
    return [{ kind: "did", event: { kind: "node", node: item.to } }];
  }

  #tools(items: readonly SessionItem[]): readonly WireEvent[] {
    const { name, checkTools } = this.#options;
    const results = items.filter((item) => item.kind === "result");
    const calls = items.filter((item) => item.kind === "call");
    this.#lastTools = calls.map((call) => call.name);
    checkTools(this.#lastTools);
    return calls.map((call) => {
      const at = results.findIndex(({ callId }) => callId === call.callId);
      const [result] = at < 0 ? [] : results.splice(at, 1);
      return { kind: "did", event: { kind: "tool", call: toolCall(name, call, result) } };
    });
  }

  #unreadable(cause: unknown): Error {
    const words = cause instanceof Error ? cause.message : "no reason is given";
    return connectionFailure(this.#options.name, "vendor", `it sent what cannot be read: ${words}`);
  }
}
