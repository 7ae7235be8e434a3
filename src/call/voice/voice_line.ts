import { type Clock, dropPromise } from "../../base/values/mod.ts";
import { connectionFailure } from "../connection/mod.ts";
import { AgentSound } from "./agent_sound.ts";
import { type FrameClock, startFrameClock } from "./frame_clock.ts";
import { FRAME_MS, lastLoud, levelOf } from "./level.ts";
import type { Turns } from "./options.ts";
import { Recording } from "./recording.ts";

/** Something that arrives from the agent. */
export type WireEvent =
  | { readonly kind: "sound"; readonly samples: Int16Array }
  /** Sound that has arrived and was not played yet is dropped. */
  | { readonly kind: "clear" }
  /** Calls back when the sound before it was played, or dropped. */
  | { readonly kind: "mark"; readonly played: () => void };

/** What carries the sound of a call. Sound is PCM with 16 bit and one channel. */
export interface VoiceWire {
  /** Samples per second, in both directions. */
  readonly rate: number;
  /**
   * Sends a frame of 20 ms.
   *
   * @param place Samples from the start of the call.
   */
  send(samples: Int16Array, place: number): void;
  /**
   * The next event; `undefined` when the agent has hung up.
   *
   * @throws {ConnectionError}
   */
  receive(options: { readonly signal: AbortSignal }): Promise<WireEvent | undefined>;
  /** Ends the call. Never throws. */
  hangUp(): Promise<void>;
}

/** What a line needs besides what carries the sound. */
export interface LineOptions {
  /** Name of the agent in errors. */
  readonly name: string;
  readonly turns: Turns;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "now" | "pause">;
  /** Folder for a recording. */
  readonly record?: string | undefined;
}

/** The end of the agent's turn. */
export interface AgentTurnEnd {
  /** Where its first words begin; `undefined` if it hung up without any. */
  readonly first: number | undefined;
}

/** Sound that an agent may have sent and not played when it hangs up, in milliseconds: less is a matter of the network. */
const CUT_MS = 200;
/** Sound that may wait to be played, in milliseconds. Platforms drop what is more. */
const MOST_AHEAD_MS = 600_000;
/** Silence around what is transcribed, in milliseconds: models mishear words that begin or end at once. */
const AROUND_MS = 300;

/**
 * A caller's end of a call. One clock moves both channels: each 20 ms a frame is sent, and the agent's sound is played at
 * the place of its arrival. Places are samples from the start of the call.
 */
export class VoiceLine {
  readonly #wire: VoiceWire;
  readonly #options: LineOptions;
  readonly #sound: AgentSound;
  readonly #frames: FrameClock;
  readonly #recording: Recording | undefined;
  readonly #stopped = new AbortController();
  readonly #marks: { readonly place: number; readonly played: () => void }[] = [];
  readonly #silence: Int16Array;
  #speech: { readonly samples: Int16Array; readonly loud: number; at: number; lastWord: number } | undefined;
  #check: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #hasEnded = false;
  /** The end of what was transcribed. */
  #heardTo = 0;

  constructor(wire: VoiceWire, options: LineOptions) {
    const { turns, clock, record } = options;
    this.#wire = wire;
    this.#options = options;
    this.#sound = new AgentSound(wire.rate, turns);
    this.#recording = record === undefined ? undefined : new Recording(record);
    this.#silence = new Int16Array(this.#samplesOf(FRAME_MS));
    this.#frames = startFrameClock(clock, wire.rate, (place) => this.#tick(place));
    dropPromise(this.#read());
  }

  /** Whether the agent has hung up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** The place of this moment. */
  get now(): number {
    return this.#frames.now();
  }

  /** Waits until the agent is silent, so that the caller does not talk over it. */
  async quiet(): Promise<void> {
    const end = this.#samplesOf(this.#options.turns.endMs);
    await this.#until((now) => (now >= this.#sound.voiceEnd + end ? true : undefined));
  }

  /**
   * Speaks, unless the agent hangs up meanwhile.
   *
   * @returns The place behind the last sample that can be heard.
   */
  async speak(samples: Int16Array, label: string): Promise<number> {
    const speech = {
      samples,
      loud: lastLoud(samples, levelOf(this.#options.turns.levelDb)),
      at: 0,
      lastWord: this.now,
    };
    this.#recording?.mark(this.now, label);
    this.#speech = speech;
    try {
      await this.#until(() => (speech.at >= samples.length ? true : undefined));
    } finally {
      this.#speech = undefined;
    }
    return speech.lastWord;
  }

  /**
   * Waits for the end of the agent's turn after a place: it has said something and is silent, or has hung up.
   *
   * @throws {ConnectionError} `silence` if it says nothing.
   */
  async listen(after: number, label: string): Promise<AgentTurnEnd> {
    const { name, turns } = this.#options;
    const [end, giveUp] = [this.#samplesOf(turns.endMs), this.#samplesOf(turns.giveUpMs)];
    const answered = await this.#until((now) => {
      const { first, until } = this.#sound.voiceAfter(after);
      if (first !== undefined && now >= until + end) return { first };
      if (first === undefined && now >= after + giveUp)
        throw connectionFailure(name, "silence", `it said nothing for ${turns.giveUpMs} ms`, {
          hint: "Check what the agent hears; set opening: false if it does not speak first, or raise turns.giveUpMs",
        });
      return undefined;
    });
    const { first } = answered ?? this.#sound.voiceAfter(after);
    if (first !== undefined) this.#recording?.mark(first, label);
    return { first };
  }

  /** The sound of what the agent has said since it was last taken; `undefined` if it said nothing. */
  take(): Int16Array | undefined {
    const { first, until } = this.#sound.voiceAfter(this.#heardTo);
    const around = this.#samplesOf(AROUND_MS);
    const from = this.#heardTo;
    this.#heardTo = this.now;
    const sound =
      first === undefined
        ? undefined
        : this.#sound.read({ from: Math.max(from, first - around), until: until + around });
    if (!this.#recording) this.#sound.forget(this.#heardTo);
    return sound;
  }

  /** Waits for the agent to hang up, for a time. */
  async hangUpWithin(ms: number): Promise<void> {
    const limit = this.now + this.#samplesOf(ms);
    await this.#until((now) => (now >= limit ? true : undefined));
  }

  /**
   * Ends the call and writes the recording.
   *
   * @returns URL of the recording; `undefined` without one, or when it cannot be written.
   */
  async end(name: string): Promise<string | undefined> {
    const until = this.now;
    this.#stopped.abort();
    this.#frames.stop();
    this.#check?.();
    await this.#wire.hangUp();
    const at = { rate: this.#wire.rate, until };
    // a finished call stays one without its recording
    return await this.#recording?.save(name, this.#sound, at).catch(() => undefined);
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#wire.rate) / 1000);
  }

  #tick(place: number): void {
    const samples = this.#nextFrame(place);
    try {
      if (!this.#hasEnded && !this.#failure) this.#wire.send(samples, place);
    } catch {
      // reading says how the connection ended
    }
    this.#playMarks();
    this.#check?.();
  }

  #nextFrame(place: number): Int16Array {
    const speech = this.#speech;
    if (!speech || speech.at >= speech.samples.length) return this.#silence;
    const frame = new Int16Array(this.#silence.length);
    frame.set(speech.samples.subarray(speech.at, speech.at + frame.length));
    if (speech.loud >= speech.at) speech.lastWord = place + Math.min(speech.loud - speech.at + 1, frame.length);
    speech.at += frame.length;
    this.#recording?.add(place, frame);
    return frame;
  }

  #playMarks(): void {
    const { now } = this;
    while (this.#marks[0] && this.#marks[0].place <= now) this.#marks.shift()?.played();
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const event = await this.#wire.receive({ signal: this.#stopped.signal });
        if (!event) break;
        this.#apply(event);
      }
      this.#endBy();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #apply(event: WireEvent): void {
    const { now } = this;
    if (event.kind === "sound") {
      const ahead = this.#sound.end - now + event.samples.length;
      if (ahead > this.#samplesOf(MOST_AHEAD_MS))
        throw connectionFailure(
          this.#options.name,
          "vendor",
          `more than ${MOST_AHEAD_MS / 60_000} minutes of its sound wait to be played`,
        );
      this.#sound.add(event.samples, now);
    } else if (event.kind === "clear") {
      this.#sound.clear(now);
      for (const { played } of this.#marks.splice(0)) played();
    } else {
      this.#marks.push({ place: this.#sound.end, played: event.played });
      this.#playMarks();
    }
  }

  /** The agent hangs up: what was not played is not heard. */
  #endBy(): void {
    const { now } = this;
    const cut = Math.round(((this.#sound.voiceAfter(now).until - now) / this.#wire.rate) * 1000);
    this.#sound.clear(now);
    this.#hasEnded = true;
    if (cut <= CUT_MS) return;
    const state = `it closed the connection ${cut} ms before its last words were played`;
    const hint = "Let the agent wait for the mark after its last words before it closes the connection";
    this.#failure ??= { error: connectionFailure(this.#options.name, "ended-early", state, { hint }) };
  }

  /**
   * Waits for the result of a check, which runs each 20 ms.
   *
   * @returns `undefined` when the agent hangs up before.
   */
  async #until<Result>(check: (now: number) => Result | undefined): Promise<Result | undefined> {
    const { signal } = this.#options;
    return await new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#check = undefined;
        end();
      };
      this.#check = () => {
        try {
          if (signal.aborted) return settle(() => reject(signal.reason));
          if (this.#failure) throw this.#failure.error;
          if (this.#hasEnded) return settle(() => resolve(undefined));
          if (this.#stopped.signal.aborted) return settle(() => reject(new Error("the call is over")));
          const result = check(this.now);
          if (result !== undefined) settle(() => resolve(result));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      this.#check();
    });
  }
}
