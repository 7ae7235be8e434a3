import { Buffer } from "node:buffer";
import {
  MediaStreamTrack,
  type RTCDataChannel,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
} from "werift";
import { loadRtc, RTC_RATE } from "../../../src/call/rtc/mod.ts";
import { ignoreSocketErrors } from "../../../src/call/rtc/socket_errors.ts";
import { PacketOrder } from "../../../src/call/voice/mod.ts";
import { joined, silence } from "../voice/_tones.ts";

/** Samples of a packet. */
const FRAME = RTC_RATE / 50;
const TYPE = 111;

/**
 * What happens in place of a message or of a sentence. After `break` nobody is there any more, and nobody is told; after
 * `stall` and `half` nothing more comes.
 */
export type FarFault = "break" | "stall" | "half" | "garbage" | "nothing" | "close" | { readonly text: string };

/** How the far end of a connection differs from a usual one. */
export interface FarEndOptions {
  /** Asked at each message and each sentence, which counts them. */
  readonly fault?: (() => FarFault | undefined) | undefined;
  /** Leaves out every packet of sound of this number. */
  readonly dropEvery?: number;
  /** Sends pairs of packets in the wrong order. */
  readonly swaps?: boolean;
  /** Sends this in place of each packet of sound. */
  readonly garbles?: Uint8Array;
  /** Only hears, and has no sound of its own. */
  readonly isMute?: boolean;
  /** Never looks for the other side. */
  readonly isDead?: boolean;
}

/** The far end of a connection over WebRTC on this machine, as servers of agents have it. */
export interface FarEnd {
  /** Its answer to the offer. */
  readonly answer: string;
  /** Gets the caller's sound. */
  onSound: (samples: Int16Array) => void;
  /** Gets the caller's messages. */
  onMessage: (text: string) => void;
  /** Resolves when the channel of messages is open. */
  readonly opened: Promise<string>;
  speak(samples: Int16Array): void;
  /** Sends a message; an object as JSON. */
  send(message: object | string): void;
  /** Resolves when the caller has gone. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
  /** Closes the connection, unless nothing more comes of it. */
  leave(): Promise<void>;
  /** Is gone, and tells nobody. */
  vanish(): Promise<void>;
}

/** Answers an offer. */
export async function answerOffer(offer: string, options: FarEndOptions = {}): Promise<FarEnd> {
  const { createCodec } = await loadRtc();
  const codec = createCodec();
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ["127.0.0.1"],
    iceUseTcp: false,
    bundlePolicy: "max-bundle",
    codecs: {
      audio: [new RTCRtpCodecParameters({ mimeType: "audio/opus", clockRate: 48_000, channels: 2, payloadType: TYPE })],
      video: [],
    },
  });
  let channel: RTCDataChannel | undefined;
  let [sequence, time] = [65_500, 2 ** 32 - 48_000];
  const track = new MediaStreamTrack({ kind: "audio" });
  let isStalled = false;
  const [opened, gone] = [moment<string>(), moment<void>()];
  const far: FarEnd = {
    answer: "",
    onSound: () => {},
    onMessage: () => {},
    opened: opened.promise,
    speak: (samples) => {
      if (isStalled) return;
      const packets: RtpPacket[] = [];
      for (let at = 0; at < samples.length; at += FRAME) {
        const frame = samples.subarray(at, at + FRAME);
        const whole = frame.length === FRAME ? frame : joined(frame, silence(20, RTC_RATE)).subarray(0, FRAME);
        const payload = Buffer.from(options.garbles ?? codec.encode(whole));
        const header = new RtpHeader({ payloadType: TYPE, sequenceNumber: sequence, timestamp: time });
        packets.push(new RtpPacket(header, payload));
        [sequence, time] = [(sequence + 1) & 0xffff, (time + 960) >>> 0];
      }
      const { dropEvery, swaps } = options;
      const sent = packets.filter((_, at) => dropEvery === undefined || (at + 1) % dropEvery !== 0);
      if (swaps)
        for (let at = 0; at + 1 < sent.length; at += 2) sent.splice(at, 2, ...sent.slice(at, at + 2).reverse());
      const isWords = samples.some((sample) => sample !== 0);
      for (const packet of isWords ? instead(sent) : sent) track.writeRtp(packet);
    },
    send: (message) => {
      if (isStalled) return;
      const text = typeof message === "string" ? message : JSON.stringify(message);
      const found = options.fault?.();
      if (found === undefined) channel?.send(text);
      else if (found === "half") channel?.send(text.slice(0, text.length / 2));
      else if (found === "garbage" || found === "nothing") channel?.send(found === "garbage" ? "]garbage[" : "[]");
      if (found !== undefined) fail(found);
    },
    gone: gone.promise,
    close: async () => {
      await connection.sctpTransport?.stop();
      await connection.close();
      codec.free();
      gone.resolve();
    },
    leave: async () => {
      if (!isStalled) await far.close();
    },
    vanish: async () => {
      await Promise.all(connection.iceTransports.map(async (transport) => await transport.stop()));
    },
  };
  /** What is wrong with the line itself. */
  const fail = (fault: FarFault) => {
    if (typeof fault === "object") channel?.send(fault.text);
    isStalled = fault === "break" || fault === "stall" || fault === "half";
    if (fault === "break") void far.vanish();
    else if (fault === "close") void far.close();
  };
  /** The packets of a sentence, with a fault. One packet that is lost or cannot be decoded is its last one. */
  const instead = (packets: readonly RtpPacket[]): readonly RtpPacket[] => {
    const found = options.fault?.();
    const last = packets.at(-1);
    if (found === undefined || !last) return packets;
    fail(found);
    if (found === "half") return packets.slice(0, packets.length / 2);
    if (found === "nothing") return packets.slice(0, -1);
    // a packet of code 3 without its count of frames
    if (found === "garbage") return [...packets.slice(0, -1), new RtpPacket(last.header, Buffer.from([3]))];
    return [];
  };
  connection.onIceCandidate.subscribe(() => ignoreSocketErrors(connection.iceTransports));
  connection.onDataChannel.subscribe((found) => {
    channel = found;
    found.onMessage.subscribe((message) => far.onMessage(String(message)));
    found.stateChanged.subscribe((state) => void (state === "closed" && gone.resolve()));
    opened.resolve(found.label);
  });
  const order = new PacketOrder<Uint8Array>({
    play: (packet) => {
      const samples = codec.decode(packet);
      far.onSound(samples);
      return 2 * samples.length;
    },
    // frames that the caller has missed are left out
    lose: () => {},
    mostLost: 0,
  });
  connection.onTrack.subscribe((heard) => {
    heard.onReceiveRtp.subscribe(({ header, payload }) => {
      const { sequenceNumber: sequence, timestamp: time, ssrc: source, payloadType } = header;
      if (payloadType === TYPE && payload.length > 0) order.add({ sequence, time, source, content: payload });
    });
  });
  await connection.setRemoteDescription({ type: "offer", sdp: offer });
  if (!options.isMute) connection.addTrack(track);
  await connection.setLocalDescription(await connection.createAnswer());
  ignoreSocketErrors(connection.iceTransports);
  const answer = connection.localDescription?.sdp ?? "";
  if (options.isDead) await connection.close();
  return Object.assign(far, { answer });
}

/** A promise, and what resolves it. */
function moment<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
