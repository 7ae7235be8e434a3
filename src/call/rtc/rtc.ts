import type { SocketMessage } from "../connection/mod.ts";
import type { IceServer } from "./ice_servers.ts";
import type { OpusCodec } from "./opus.ts";

/** What the packages for WebRTC do here. Their own types stay inside, so that nobody who lacks them needs them. */
export interface Rtc {
  /**
   * Makes our end of a connection, and its offer.
   *
   * @throws {ConnectionError} `unreachable` when this machine has no address.
   */
  readonly createPeer: (options: RtcOptions) => Promise<RtcPeer>;
  readonly createCodec: () => OpusCodec;
}

/** Something that arrives from the other side. */
export type RtcEvent =
  | { readonly kind: "sound"; readonly samples: Int16Array }
  | { readonly kind: "message"; readonly message: SocketMessage };

/** Our end of a connection over WebRTC: a track of sound each way, and a channel of messages. */
export interface RtcPeer {
  /** What the other side is asked, with all of our addresses. */
  readonly offer: string;
  /** Whether the other side can still be talked to. */
  readonly isOpen: boolean;
  /**
   * Takes the other side's answer, and waits until both are connected.
   *
   * @throws {ConnectionError} `vendor` for what is no answer; `unreachable` if no connection comes about.
   */
  connect(answer: string): Promise<void>;
  /**
   * Sends a frame of 20 ms with `RTC_RATE` samples per second.
   *
   * @param place Samples from the start of the call.
   */
  sendSound(samples: Int16Array, place: number): void;
  /** Sends a message, as soon as the channel is open. @throws {ConnectionError} When the connection is over. */
  sendMessage(text: string): void;
  /**
   * The next event, sound in the order in which it was sent; `undefined` when the other side has closed the connection.
   *
   * @throws {ConnectionError} When the connection was lost.
   */
  receive(options: { readonly signal: AbortSignal }): Promise<RtcEvent | undefined>;
  /** Closes the connection. Never throws. */
  close(): Promise<void>;
}

/** How a connection is made. */
export interface RtcOptions {
  /** Name of the agent in errors. */
  readonly name: string;
  /** Name of the channel of messages. */
  readonly channel: string;
  readonly iceServers: readonly IceServer[];
  /** URL of the other side: one on this machine is looked for on the loopback network, too. */
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Pauses the clock of the agent's answer: connecting is no part of it. It goes on when what is returned is called. */
  readonly pauseClock: () => () => void;
  /** Takes secrets out of what the other side says. */
  readonly withoutSecrets: (text: string) => string;
}
