import { createHash } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { decodeMuLaw, encodeMuLaw } from "../../../../src/call/audio/mod.ts";
import { Ear, spoken } from "../../../call/voice/_spoken.ts";
import { type Brain, startBrain } from "../../connections/_brain.ts";
import type { Fault, PlannedFault } from "../../connections/_faults.ts";
import { KEY } from "../../connections/_runs.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";

const RATE = 8_000;
const FRAME = 160;
const MOST_PACKET = 8_000;

/** How a telephone differs from the usual one. */
export interface PhoneOptions {
  /** Answers a call with this status in place of 200, such as `486 Busy Here`. */
  readonly status?: string;
  /** Never says anything, or only that it rings. */
  readonly silent?: "dead" | "rings";
  /** Requests that it does not get, by method and number from 1: `INVITE 1`. */
  readonly loses?: readonly string[];
  /** Asks for a password. */
  readonly password?: string;
  /** Samples in a packet. Default: all of a reply, so that no machine is too slow to pass it on without gaps. */
  readonly packet?: number;
  /** Leaves out every packet of sound of this number. */
  readonly dropEvery?: number;
  /** Sends pairs of packets in the wrong order. */
  readonly swaps?: boolean;
  /** Hangs up after so many packets of its first words. */
  readonly byeAfter?: number;
  /** Its answer has no sound that both sides know. */
  readonly codec?: "G729";
  /** Does not take keys as packets. */
  readonly noKeys?: boolean;
  /** Passes the call on (REFER) in place of its last words. */
  readonly refers?: boolean;
  /** In place of its message of a number, from 1: of a signal, or of a packet of sound. */
  readonly fault?: PlannedFault | undefined;
}

/** A telephone on this machine, with the help desk behind it. */
export interface Phone extends AsyncDisposable {
  readonly to: string;
  /** Methods of what it got, in order. */
  readonly methods: string[];
  /** What it got, whole. */
  readonly texts: string[];
  /** Keys of the telephone that it got, as packets and as messages. */
  readonly keys: string[];
  /** What the caller said. */
  readonly heard: string[];
  /** Number of its messages so far. */
  readonly messages: () => number;
}

/** How a call fails, as an answer to INVITE and as the reason of BYE. */
const FAILURES: { readonly [Kind in Fault]?: readonly [status: string, reason: string] } = {
  throttle: [`503 Too Busy With ${KEY}`, `Q.850;cause=42;text="Switching equipment congestion, ${KEY}"`],
  fails: [`500 Out Of Order, ${KEY}`, `SIP;cause=500;text="Out of order, ${KEY}"`],
};
/** A request that nobody answers is sent again after this time, in milliseconds. */
const AGAIN_MS = 100;

const USER = "6001";
const REALM = "desk";
const NONCE = "nonce-of-the-tests";

export async function startPhone(options: PhoneOptions = {}): Promise<Phone> {
  const [signals, media] = [createSocket("udp4"), createSocket("udp4")];
  const [port, mediaPort] = [await bound(signals), await bound(media)];
  const [methods, texts, keys, heard]: [string[], string[], string[], string[]] = [[], [], [], []];
  const counts = new Map<string, number>();
  /** By the port of the caller's sound. */
  const calls = new Map<number, Call>();
  /** What is sent again until it is answered, by the id of the call. */
  const repeats = new Map<string, ReturnType<typeof setInterval>>();
  let [messages, isSilent, isDead, isAgain] = [0, false, false, false];
  const repeat = (id: string, say: () => void) => {
    clearInterval(repeats.get(id));
    const again = () => {
      isAgain = true;
      say();
      isAgain = false;
    };
    repeats.set(id, setInterval(again, AGAIN_MS));
    say();
  };
  /** Sends a message, or what is in its place. `fail` ends the call as a server does that fails. */
  const send = (socket: Socket, bytes: Uint8Array, to: number, fail: (kind: Fault) => void) => {
    if (isSilent) return;
    const write = (part: Uint8Array) => socket.send(part, to, "127.0.0.1");
    // how often something is sent again depends on the machine: it has no number
    if (isAgain) return write(bytes);
    messages += 1;
    const kind = messages === options.fault?.at ? options.fault.kind : undefined;
    if (kind === undefined) return write(bytes);
    if (kind === "garbage") return write(new TextEncoder().encode("]garbage["));
    if (kind === "nothing") return write(new Uint8Array());
    if (FAILURES[kind]) fail(kind);
    if (kind === "half") write(bytes.slice(0, bytes.length / 2));
    isSilent = true;
    if (kind === "break") shut();
  };
  const shut = () => {
    isDead = true;
    for (const socket of [signals, media]) socket.close();
  };
  const headerIn = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(text)?.[1]?.trim() ?? "";
  const reply = (text: string, start: string, to: { port: number }, more: readonly string[] = [], body = "") => {
    const tag = headerIn(text, "To").includes("tag=") ? "" : ";tag=desk";
    const lines = [
      `SIP/2.0 ${start}`,
      `Via: ${headerIn(text, "Via")};received=127.0.0.1`,
      `From: ${headerIn(text, "From")}`,
      `To: ${headerIn(text, "To")}${tag}`,
      `Call-ID: ${headerIn(text, "Call-ID")}`,
      `CSeq: ${headerIn(text, "CSeq")}`,
      `Contact: <sip:desk@127.0.0.1:${port}>`,
      ...more,
      ...(body === "" ? [] : ["Content-Type: application/sdp"]),
      `Content-Length: ${body.length}`,
    ];
    const failed = (kind: Fault) => {
      if (headerIn(text, "CSeq").endsWith("INVITE")) reply(text, FAILURES[kind]?.[0] ?? "", to);
    };
    send(signals, new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`), to.port, failed);
  };
  const invite = (text: string, from: { port: number }) => {
    if (options.silent === "dead") return;
    if (options.password !== undefined && !isAuthorized(headerIn(text, "Authorization"), options.password)) {
      const challenge = `WWW-Authenticate: Digest realm="${REALM}", nonce="${NONCE}", algorithm=MD5, qop="auth"`;
      return reply(text, "401 Unauthorized", from, [challenge]);
    }
    reply(text, "180 Ringing", from);
    if (options.silent === "rings") return;
    if (options.status) return reply(text, options.status, from);
    const callerPort = Number(/^m=audio (\d+)/m.exec(text)?.[1]);
    const types = options.codec === "G729" ? "18" : `0${options.noKeys ? "" : " 101"}`;
    const sdp = [
      "v=0",
      "o=desk 1 1 IN IP4 127.0.0.1",
      "s=-",
      "c=IN IP4 127.0.0.1",
      "t=0 0",
      `m=audio ${mediaPort} RTP/AVP ${types}`,
      ...(options.noKeys ? [] : ["a=rtpmap:101 telephone-event/8000"]),
    ].join("\r\n");
    const answer = () =>
      reply(
        text,
        "200 OK",
        from,
        ["Record-Route: <sip:127.0.0.1;lr>".replace("127.0.0.1", `127.0.0.1:${port}`)],
        `${sdp}\r\n`,
      );
    const id = headerIn(text, "Call-ID");
    repeat(id, answer);
    calls.get(callerPort)?.end();
    const bye = (method: string, reason?: string) => {
      const [local, remote] = [`<${headerIn(text, "To").replace(/[<>]/g, "")}>;tag=desk`, headerIn(text, "From")];
      const lines = [
        `${method} sip:callweave@127.0.0.1:${from.port} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${method}`,
        `From: ${local}`,
        `To: ${remote}`,
        `Call-ID: ${headerIn(text, "Call-ID")}`,
        `CSeq: 7 ${method}`,
        ...(method === "REFER" ? ["Refer-To: <sip:technician@127.0.0.1>"] : []),
        ...(reason === undefined ? [] : [`Reason: ${reason}`]),
        "Content-Length: 0",
      ];
      const bytes = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
      const again = () => send(signals, bytes, from.port, (kind) => bye("BYE", FAILURES[kind]?.[1]));
      repeat(id, again);
    };
    const play = (bytes: Uint8Array) => send(media, bytes, callerPort, (kind) => bye("BYE", FAILURES[kind]?.[1]));
    calls.set(callerPort, new Call({ id, options, play, bye, heard }));
  };
  signals.on("message", (bytes: Uint8Array, from) => {
    const text = new TextDecoder().decode(bytes);
    const method = /^[A-Z]+(?= )/.exec(text)?.[0] ?? "";
    const id = headerIn(text, "Call-ID");
    if (method === "") return clearInterval(repeats.get(id));
    const number = (counts.get(method) ?? 0) + 1;
    counts.set(method, number);
    methods.push(method);
    texts.push(text);
    if (options.loses?.includes(`${method} ${number}`)) return;
    if (method === "INVITE") invite(text, from);
    else if (method === "ACK") clearInterval(repeats.get(id));
    else if (method === "CANCEL") {
      reply(text, "200 OK", from);
      const first = texts.find((each) => each.startsWith("INVITE")) ?? "";
      reply(first, "487 Request Terminated", from);
    } else {
      if (method === "INFO") keys.push(/^Signal=(.)/m.exec(text)?.[1] ?? "");
      reply(text, "200 OK", from);
      if (method === "BYE") for (const call of calls.values()) if (call.id === id) call.end();
    }
  });
  media.on("message", (bytes: Uint8Array, from) => {
    const type = (bytes[1] ?? 0) & 0x7f;
    const content = bytes.subarray(12);
    if (type === 101) {
      // the beginning of a key has the marker
      if (((bytes[1] ?? 0) & 0x80) !== 0) keys.push("0123456789*#ABCD"[content[0] ?? 0] ?? "");
    } else calls.get(from.port)?.hear(decodeMuLaw(content));
  });
  return {
    to: `sip:desk@127.0.0.1:${port}`,
    methods,
    texts,
    keys,
    heard,
    messages: () => messages,
    [Symbol.asyncDispose]: async () => {
      for (const each of repeats.values()) clearInterval(each);
      for (const call of calls.values()) call.end();
      if (isDead) return;
      await Promise.all([signals, media].map((socket) => new Promise<void>((done) => socket.close(() => done()))));
    },
  };
}

interface CallParts {
  readonly id: string;
  readonly options: PhoneOptions;
  readonly play: (bytes: Uint8Array) => void;
  readonly bye: (method: string) => void;
  readonly heard: string[];
}

/** A call: each packet of the caller moves the telephone's own sound by one, so that no machine is too slow. */
class Call {
  readonly #parts: CallParts;
  readonly #brain: Brain = startBrain({ mocks: DESK_TOOLS });
  readonly #ear = new Ear(RATE);
  #sequence = 65_530;
  #time = 4_294_967_000;
  #hasBegun = false;
  #isOver = false;
  #held: Uint8Array | undefined;
  /** Frames that it still has to say; then it does what follows. */
  #left = 0;
  #then: (() => void) | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  get id(): string {
    return this.#parts.id;
  }

  end(): void {
    this.#isOver = true;
  }

  hear(samples: Int16Array): void {
    if (this.#isOver) return;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      void this.#brain.open().then((turn) => this.#say(turn));
    }
    const text = this.#ear.hear(samples);
    if (text !== undefined && text !== "") {
      this.#parts.heard.push(text);
      void this.#brain.hear(text).then((turn) => this.#say(turn));
    }
    this.#left -= 1;
    if (this.#left > 0) return;
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }

  #say({ events, ended }: Awaited<ReturnType<Brain["hear"]>>) {
    const { options, bye } = this.#parts;
    const words = events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
    const sound = words === "" ? new Int16Array() : spoken(words, RATE);
    const { packet = MOST_PACKET } = options;
    for (let number = 0; number * packet < sound.length; number++) {
      const frame = sound.slice(number * packet, (number + 1) * packet);
      if (options.byeAfter === number) {
        this.#isOver = true;
        return bye("BYE");
      }
      this.#send(frame, number);
    }
    if (this.#held) this.#parts.play(this.#held);
    this.#held = undefined;
    this.#left = Math.ceil(sound.length / FRAME);
    if (ended)
      this.#then = () => {
        this.#isOver = true;
        bye(ended === "agent_transferred" || options.refers ? "REFER" : "BYE");
      };
  }

  #send(frame: Int16Array, number: number): void {
    const { options, play } = this.#parts;
    const content = encodeMuLaw(frame);
    const bytes = new Uint8Array(12 + content.length);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, 0x80);
    view.setUint16(2, this.#sequence & 0xffff);
    view.setUint32(4, this.#time >>> 0);
    view.setUint32(8, 4711);
    bytes.set(content, 12);
    this.#sequence += 1;
    this.#time += frame.length;
    if (options.dropEvery !== undefined && number % options.dropEvery === 1) return;
    // what comes before the first packet that arrives is not a part of the call
    if (options.swaps && !this.#held && number > 0) {
      this.#held = bytes;
      return;
    }
    play(bytes);
    if (this.#held) play(this.#held);
    this.#held = undefined;
  }
}

/** Whether the answer to the challenge is right. */
function isAuthorized(header: string, password: string): boolean {
  const read = (name: string) => new RegExp(`(?:^|[ ,])${name}="?([^",]+)`).exec(header)?.[1] ?? "";
  const hash = (text: string) => createHash("md5").update(text).digest("hex");
  const [who, what] = [hash(`${USER}:${REALM}:${password}`), hash(`INVITE:${read("uri")}`)];
  return read("response") === hash(`${who}:${NONCE}:${read("nc")}:${read("cnonce")}:auth:${what}`);
}

async function bound(socket: Socket): Promise<number> {
  return await new Promise((resolve) => socket.bind(0, "127.0.0.1", () => resolve(socket.address().port)));
}
