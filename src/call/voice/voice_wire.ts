import type { AgentEvent, AgentTurn, ConnectionRecord } from "../connection/mod.ts";

/** Something that arrives from the agent. */
export type WireEvent =
  | { readonly kind: "sound"; readonly samples: Int16Array }
  /** Sound that has arrived and was not played yet is dropped. */
  | { readonly kind: "clear" }
  /** Calls back when the sound before it was played, or dropped. */
  | { readonly kind: "mark"; readonly played: () => void }
  /** The agent's turn goes on whatever its silence, such as while a tool is open, until this is off. */
  | { readonly kind: "busy"; readonly on: boolean }
  /** The agent lets its turn pass without a word. */
  | { readonly kind: "passes" }
  /** Something that the agent did besides speaking, after the sound that has arrived. */
  | { readonly kind: "did"; readonly event: Exclude<AgentEvent, { readonly kind: "says" }> }
  /**
   * What the platform writes down: what it heard of the caller, or what the agent said, which is kept beside what was
   * heard. Final words only. `corrects`: in place of the words before, of which the caller has heard a part.
   */
  | { readonly kind: "words"; readonly by: "caller" | "agent"; readonly text: string; readonly corrects?: boolean }
  /** The agent is about to hang up: sound that has arrived is then played to its end. `undefined`: it is not, after all. */
  | { readonly kind: "ends"; readonly as: AgentTurn["ended"] };

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
  /**
   * Presses a key of the telephone. Absent: the protocol has no keys, and scenarios that press some are refused. A wire
   * that has it sets the capability `dtmf`.
   *
   * @param key One of `0` to `9`, `*`, `#`, `A` to `D`.
   */
  dtmf?(key: string): void;
  /**
   * Called when the caller begins to talk over the agent, for protocols in which the client cuts the agent's reply.
   * Absent: the agent hears it in the sound, and drops what was not played (`clear`).
   *
   * @param playedMs How much of the agent's turn was played, pauses included.
   */
  interrupted?(playedMs: number): void;
}

/** A call that is being set up. */
export interface VoiceSetup {
  /** The platform's id of the call, and name of its recording. */
  readonly callId: string;
  readonly wire: VoiceWire;
  /** The node at which the agent is, if every turn names one. */
  readonly node?: () => string | undefined;
  /**
   * What is known only when the call is over. Asked after `hangUp()`, unless the call broke off.
   *
   * @param options `said`: how often the caller spoke.
   * @throws {ConnectionError}
   */
  readonly record?: (options: { readonly signal: AbortSignal; readonly said: number }) => Promise<ConnectionRecord>;
}
