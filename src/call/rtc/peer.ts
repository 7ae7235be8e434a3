import { Buffer } from "node:buffer";
import { SYSTEM_CLOCK, shorten, startTimeLimit } from "../../base/values/mod.ts";
import { type ConnectionFailure, connectionFailure } from "../connection/mod.ts";
import { PacketOrder } from "../voice/mod.ts";
import { EventQueue } from "./event_queue.ts";
import { OPUS_CLOCK, type OpusCodec, RTC_RATE } from "./opus.ts";
import type { RtcEvent, RtcOptions, RtcPeer } from "./rtc.ts";
import { ignoreSocketErrors } from "./socket_errors.ts";

/** The packages that connections over WebRTC need. */
export interface RtcPackages {
  readonly werift: typeof import("werift");
  readonly createCodec: () => OpusCodec;
}

type PeerConnection = InstanceType<RtcPackages["werift"]["RTCPeerConnection"]>;
type Track = InstanceType<RtcPackages["werift"]["MediaStreamTrack"]>;

/** How long closing may take, in milliseconds. */
const CLOSING_MS = 1_000;
/** What may wait to be received: sound of three minutes, and more. */
const MOST_WAITING = 10_000;
/** Messages that may wait for the channel to open. */
const MOST_UNSENT = 1_000;
/** Silence in place of lost packets is not longer. */
const MOST_LOST = 2 * OPUS_CLOCK;
/** Number of Opus in offers. */
const OPUS_TYPE = 111;
const UNITS = OPUS_CLOCK / RTC_RATE;

/**
 * Makes our end of a connection, and its offer.
 *
 * @throws {ConnectionError} `unreachable` when this machine has no address.
 */
export async function createRtcPeer(rtc: RtcPackages, options: RtcOptions): Promise<RtcPeer> {
  const peer = new Peer(rtc, options);
  try {
    await peer.makeOffer();
    return peer;
  } catch (error) {
    await peer.close();
    throw error;
  }
}

class Peer implements RtcPeer {
  readonly #rtc: RtcPackages;
  readonly #options: RtcOptions;
  readonly #connection: PeerConnection;
  readonly #track: Track;
  readonly #channel: ReturnType<PeerConnection["createDataChannel"]>;
  readonly #codec: OpusCodec;
  readonly #events = new EventQueue<RtcEvent>(MOST_WAITING);
  readonly #unsent: string[] = [];
  readonly #order: PacketOrder<Uint8Array>;
  #settle: (() => void) | undefined;
  #sequence = Math.floor(Math.random() * 2 ** 16);
  readonly #timeBase = Math.floor(Math.random() * 2 ** 32);
  #hasSpoken = false;
  #isClosed = false;

  constructor(rtc: RtcPackages, options: RtcOptions) {
    this.#rtc = rtc;
    this.#options = options;
    const { RTCPeerConnection, RTCRtpCodecParameters, MediaStreamTrack } = rtc.werift;
    const isLocal = /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(options.url).hostname);
    const opus = { mimeType: "audio/opus", clockRate: OPUS_CLOCK, channels: 2, payloadType: OPUS_TYPE };
    this.#connection = new RTCPeerConnection({
      // without a list, a server of Google is asked
      iceServers: options.iceServers.map(({ urls, ...login }) => ({
        urls: typeof urls === "string" ? urls : [...urls],
        ...login,
      })),
      ...(isLocal ? { iceAdditionalHostAddresses: ["127.0.0.1"] } : {}),
      iceUseTcp: false,
      bundlePolicy: "max-bundle",
      codecs: { audio: [new RTCRtpCodecParameters(opus)], video: [] },
    });
    this.#track = new MediaStreamTrack({ kind: "audio" });
    this.#connection.addTransceiver(this.#track, { direction: "sendrecv" });
    this.#channel = this.#connection.createDataChannel(options.channel);
    this.#codec = rtc.createCodec();
    this.#order = new PacketOrder({
      play: (packet) => this.#play(packet),
      lose: (units) => this.#add({ kind: "sound", samples: new Int16Array(Math.round(units / UNITS)) }),
      mostLost: MOST_LOST,
    });
    this.#listen();
  }

  get offer(): string {
    return this.#connection.localDescription?.sdp ?? "";
  }
  get isOpen(): boolean {
    return this.#connection.connectionState === "connected" && !this.#events.isOver && !this.#isClosed;
  }

  async makeOffer(): Promise<void> {
    const { connectTimeoutMs, signal, pauseClock } = this.#options;
    using limit = startTimeLimit(connectTimeoutMs, signal);
    const resume = pauseClock();
    const make = async () => {
      await this.#connection.setLocalDescription(await this.#connection.createOffer());
      ignoreSocketErrors(this.#connection.iceTransports);
    };
    try {
      await limit.until(make());
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#fail("unreachable", `this machine has no address for it: ${wordsOf(cause)}`);
    } finally {
      resume();
    }
  }

  async connect(answer: string): Promise<void> {
    const { connectTimeoutMs, signal, pauseClock } = this.#options;
    using limit = startTimeLimit(connectTimeoutMs, signal);
    const resume = pauseClock();
    const settled = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    try {
      await limit.until(this.#take(answer));
      await limit.until(settled);
    } catch (error) {
      if (!limit.expired()) throw error;
      throw this.#fail("unreachable", `it was not connected within ${connectTimeoutMs} ms`);
    } finally {
      resume();
    }
    if (!this.isOpen) throw this.#fail("unreachable", "no connection for the sound comes about");
  }

  async #take(answer: string): Promise<void> {
    try {
      await this.#connection.setRemoteDescription({ type: "answer", sdp: answer });
    } catch (cause) {
      throw this.#fail("vendor", `its answer cannot be used: ${wordsOf(cause)}`);
    }
    const [transceiver] = this.#connection.getTransceivers();
    const hasOpus = transceiver?.codecs.some(({ mimeType }) => mimeType.toLowerCase() === "audio/opus");
    if (!hasOpus || transceiver?.currentDirection !== "sendrecv")
      throw this.#fail("vendor", "its answer has no sound in Opus both ways");
  }

  sendSound(samples: Int16Array, place: number): void {
    if (!this.isOpen) return;
    const { RtpHeader, RtpPacket } = this.#rtc.werift;
    const header = new RtpHeader({
      payloadType: OPUS_TYPE,
      sequenceNumber: this.#sequence,
      timestamp: (this.#timeBase + place * UNITS) >>> 0,
      marker: !this.#hasSpoken,
    });
    this.#hasSpoken = true;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#track.writeRtp(new RtpPacket(header, Buffer.from(this.#codec.encode(samples))));
  }

  sendMessage(text: string): void {
    if (this.#isClosed || this.#events.isOver) throw this.#fail("ended-early", "the connection is over");
    if (this.#channel.readyState === "open") this.#channel.send(text);
    else if (this.#unsent.push(text) > MOST_UNSENT) throw this.#fail("vendor", "it does not open the channel");
  }

  async receive({ signal }: { readonly signal: AbortSignal }): Promise<RtcEvent | undefined> {
    return await this.#events.next(signal);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.end();
    this.#settle?.();
    const waiting = new AbortController();
    const limit = SYSTEM_CLOCK.pause(CLOSING_MS, waiting.signal);
    const leave = async () => {
      await this.#closeChannel();
      // before version 0.25, closing a connection tells the other side nothing
      await this.#connection.sctpTransport?.stop();
      await this.#connection.close();
    };
    await Promise.race([leave().catch(() => undefined), limit]);
    waiting.abort();
    this.#codec.free();
  }

  /** Closes the channel of messages, which the other side confirms: what was sent before has then arrived. */
  async #closeChannel(): Promise<void> {
    if (this.#channel.readyState !== "open") return;
    const closed = new Promise<void>((resolve) => {
      this.#channel.stateChanged.subscribe((state) => void (state === "closed" && resolve()));
    });
    this.#channel.close();
    const waiting = new AbortController();
    await Promise.race([closed, SYSTEM_CLOCK.pause(CLOSING_MS / 2, waiting.signal)]);
    waiting.abort();
  }

  #listen(): void {
    // a candidate is told as soon as it has a socket
    this.#connection.onIceCandidate.subscribe(() => ignoreSocketErrors(this.#connection.iceTransports));
    this.#connection.connectionStateChange.subscribe((state) => {
      if (state === "new" || state === "connecting") return;
      if (state === "closed") this.#events.end();
      else if (state !== "connected") this.#events.end(this.#fail("ended-early", "the connection was lost"));
      this.#settle?.();
    });
    this.#channel.stateChanged.subscribe((state) => {
      if (state === "open") for (const text of this.#unsent.splice(0)) this.#channel.send(text);
      // an end that closes the connection says so in the channel alone
      else if (state === "closed") this.#events.end();
      if (state === "closed") this.#settle?.();
    });
    this.#channel.onMessage.subscribe((message) => {
      this.#add({ kind: "message", message: typeof message === "string" ? message : new Uint8Array(message) });
    });
    this.#connection.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        if (this.#isClosed || header.payloadType !== OPUS_TYPE || payload.length === 0) return;
        const { sequenceNumber: sequence, timestamp: time, ssrc: source } = header;
        this.#order.add({ sequence, time, source, content: payload });
      });
    });
  }

  #play(packet: Uint8Array): number {
    try {
      const samples = this.#codec.decode(packet);
      this.#add({ kind: "sound", samples });
      return samples.length * UNITS;
    } catch (cause) {
      this.#events.end(this.#fail("vendor", `its sound cannot be decoded: ${wordsOf(cause)}`));
      return 0;
    }
  }

  #add(event: RtcEvent): void {
    if (!this.#events.add(event)) this.#events.end(this.#fail("vendor", "it sends more than can be taken"));
  }

  #fail(kind: ConnectionFailure, state: string): Error {
    return connectionFailure(this.#options.name, kind, shorten(this.#options.withoutSecrets(state), 300));
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : "no reason is given";
}
