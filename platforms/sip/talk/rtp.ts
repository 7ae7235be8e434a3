import { randomBytes } from "node:crypto";
import type { Socket } from "node:dgram";
import { decodeMuLaw, encodeMuLaw } from "../../../src/call/audio/mod.ts";
import { PacketOrder } from "../../../src/call/voice/mod.ts";
import { decodeALaw, encodeALaw } from "./a_law.ts";
import type { AgreedSound } from "./sdp.ts";

/** Samples per second on the line. */
export const LINE_RATE = 8_000;

const HEADER = 12;
/** Silence in place of lost packets is not longer, in samples. */
const MOST_LOST = 2 * LINE_RATE;
/** A key is pressed for so many packets of 20 ms. Its end is told three times. */
const KEY_PACKETS = 8;
const KEY_ENDS = 3;
/** Pause behind a key, in packets. */
const KEY_PAUSE = 5;
/** Loudness of a key, in decibels below the loudest. */
const KEY_DB = 10;
const KEYS = "0123456789*#ABCD";

/** A packet that goes out. */
interface Packet {
  readonly type: number;
  readonly marker: boolean;
  readonly time: number;
  readonly content: Uint8Array;
}

/** The sound of a call, in packets (RTP, RFC 3550). */
export class RtpStream {
  readonly #socket: Socket;
  readonly #take: (samples: Int16Array) => void;
  readonly #source = randomBytes(4).readUInt32BE();
  readonly #timeBase = randomBytes(4).readUInt32BE();
  #sound: AgreedSound | undefined;
  #sequence = randomBytes(2).readUInt16BE();
  #hasBegun = false;
  /** Packets of keys that take the place of sound. `undefined`: a pause of one packet. */
  readonly #keys: (((start: number) => Packet) | undefined)[] = [];
  #keyTime = 0;
  /** Where the sound of the other side comes from. */
  #from: string | undefined;
  readonly #order = new PacketOrder<Int16Array>({
    play: (samples) => {
      this.#take(samples);
      return samples.length;
    },
    lose: (samples) => this.#take(new Int16Array(samples)),
    mostLost: MOST_LOST,
  });

  constructor(socket: Socket, take: (samples: Int16Array) => void) {
    this.#socket = socket;
    this.#take = take;
    socket.on("message", (bytes: Uint8Array, { address, port }) => this.#receive(bytes, `${address}:${port}`));
  }

  /** Sets or changes what both sides have agreed on. */
  agree(sound: AgreedSound): void {
    this.#sound = sound;
    this.#from = undefined;
  }

  /** Whether keys go out as packets. */
  get hasKeys(): boolean {
    return this.#sound?.keysType !== undefined;
  }

  /** Sends a frame, or what stands in its place. */
  send(samples: Int16Array, place: number): void {
    const sound = this.#sound;
    if (!sound) return;
    const time = (this.#timeBase + place) >>> 0;
    const marker = !this.#hasBegun;
    this.#hasBegun = true;
    if (this.#keys.length > 0) {
      const key = this.#keys.shift();
      if (key) this.#write(key(time));
      return;
    }
    const content = sound.codec === "PCMU" ? encodeMuLaw(samples) : encodeALaw(samples);
    this.#write({ type: sound.type, marker, time, content });
  }

  /** Presses a key (RFC 4733): the packets go out in place of the next frames. */
  press(key: string): void {
    const type = this.#sound?.keysType;
    if (type === undefined) return;
    const event = KEYS.indexOf(key.toUpperCase());
    const packet = (number: number, isEnd: boolean) => (time: number) => {
      if (number === 1) this.#keyTime = time;
      const duration = (number * LINE_RATE) / 50;
      const content = Uint8Array.of(event, (isEnd ? 0x80 : 0) | KEY_DB, duration >> 8, duration & 0xff);
      return { type, marker: number === 1, time: this.#keyTime, content };
    };
    for (let number = 1; number <= KEY_PACKETS; number++) this.#keys.push(packet(number, false));
    for (let end = 0; end < KEY_ENDS; end++) this.#keys.push(packet(KEY_PACKETS, true));
    for (let pause = 0; pause < KEY_PAUSE; pause++) this.#keys.push(undefined);
  }

  #write({ type, marker, time, content }: Packet): void {
    if (!this.#sound) return;
    const bytes = new Uint8Array(HEADER + content.length);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, 0x80);
    view.setUint8(1, (marker ? 0x80 : 0) | type);
    view.setUint16(2, this.#sequence);
    view.setUint32(4, time);
    view.setUint32(8, this.#source);
    bytes.set(content, HEADER);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#socket.send(bytes, this.#sound.port, this.#sound.host, () => {});
  }

  #receive(bytes: Uint8Array, from: string): void {
    const sound = this.#sound;
    const packet = sound && readRtp(bytes);
    if (!packet || packet.type !== sound.type) return;
    // the first sender is the other side; routers may change its address
    this.#from ??= from;
    if (from !== this.#from) return;
    const samples = sound.codec === "PCMU" ? decodeMuLaw(packet.content) : decodeALaw(packet.content);
    this.#order.add({ ...packet, content: samples });
  }
}

/** Reads a packet; `undefined` for what is none. */
function readRtp(bytes: Uint8Array) {
  if (bytes.length < HEADER || (bytes[0] ?? 0) >> 6 !== 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint8(0);
  const extension = HEADER + 4 * (first & 0x0f);
  let start = extension;
  if ((first & 0x10) !== 0) {
    if (bytes.length < extension + 4) return undefined;
    start = extension + 4 + 4 * view.getUint16(extension + 2);
  }
  const padding = (first & 0x20) === 0 ? 0 : view.getUint8(bytes.length - 1);
  if (start > bytes.length - padding) return undefined;
  return {
    type: view.getUint8(1) & 0x7f,
    sequence: view.getUint16(2),
    time: view.getUint32(4),
    source: view.getUint32(8),
    content: bytes.subarray(start, bytes.length - padding),
  };
}
