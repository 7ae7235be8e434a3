import { backoffMs, isRecord, type JsonObject, parsedJson, SYSTEM_CLOCK, shorten } from "../../base/values/mod.ts";
import type { CallRequest } from "./agent_client.ts";
import { type ConnectionError, type ConnectionFailure, connectionFailure } from "./connection_error.ts";
import { Inbox, type SocketMessage, sizeOf } from "./inbox.ts";
import { createRawSocket, type Handshake, MOST_MESSAGE_BYTES, type RawSocket } from "./raw_socket.ts";

/** How the socket of a call is opened. */
export interface AgentSocketOptions extends CallRequest, Handshake {
  /** It may contain tokens: errors name its host alone. */
  readonly url: string;
  /** Takes further secrets out of what the server says. */
  readonly withoutSecrets?: (text: string) => string;
  /**
   * Answers a message when it arrives, such as a ping, also while nobody reads. A message with an answer is not
   * received.
   */
  readonly answer?: (message: JsonObject) => JsonObject | undefined;
  /** How long opening waits at most while the server refuses it (HTTP 429), in milliseconds. Default: 60,000. */
  readonly throttleLimitMs?: number;
  /** Codes with which the server closes a call that is over; 1005 stands for no code. Default: 1000. */
  readonly normalCodes?: readonly number[];
  /** What may wait to be received, in messages and bytes. Default: 10,000 and 32 MiB. */
  readonly most?: { readonly messages: number; readonly bytes: number };
}

/** An open socket to the agent of a call. */
export interface AgentSocket {
  /** The subprotocol that the server chose; empty without one. */
  readonly protocol: string;
  /** Whether the server can still be talked to. */
  readonly isOpen: boolean;
  /** How many messages have arrived and were not received. */
  readonly waiting: number;
  /** @throws {ConnectionError} When the socket is closed. */
  send(message: SocketMessage | JsonObject): void;
  /**
   * The next message; `undefined` when the server has closed the socket with a normal code, after its last message.
   *
   * @throws {ConnectionError} `ended-early` or `vendor` when the socket closed in another way.
   */
  receive(options: { readonly signal: AbortSignal }): Promise<SocketMessage | undefined>;
  /** Like `receive()`, for servers that only send JSON objects. Another message is the vendor's fault. */
  receiveJson(options: { readonly signal: AbortSignal }): Promise<JsonObject | undefined>;
  /** @throws {ConnectionError} `vendor` for a message that is no JSON object. */
  readJson(message: SocketMessage): JsonObject;
  /** Closes the socket, and waits for the server's answer for a second at most. Never throws. */
  close(): Promise<void>;
}

const MOST_WAITING = { messages: 10_000, bytes: 32 * 2 ** 20 };
const THROTTLE_LIMIT_MS = 60_000;
const PAUSES = { firstMs: 500, longestMs: 10_000 };
const CLOSING_MS = 1_000;
const NORMAL = 1000;

/** Kinds of refused handshakes, by HTTP status; others, and those without a status, are `unreachable`. */
const REFUSALS: ReadonlyMap<number, ConnectionFailure> = new Map([
  [401, "key"],
  [402, "payment"],
  [403, "key"],
  [404, "unknown-agent"],
  [410, "unknown-agent"],
  [429, "throttled"],
]);

/**
 * Opens a socket to an agent. A handshake that was refused because there are too many (HTTP 429) is tried again: it has
 * run nothing.
 *
 * @throws {ConnectionError}
 */
export async function openAgentSocket(name: string, options: AgentSocketOptions): Promise<AgentSocket> {
  const { signal, pauseClock, throttleLimitMs = THROTTLE_LIMIT_MS } = options;
  const words = secretWords(name, options);
  let left = throttleLimitMs;
  for (let failed = 1; ; failed++) {
    signal.throwIfAborted();
    const opened = await shakeHands(name, options, words);
    if (!("kind" in opened)) return opened;
    const pause = backoffMs(PAUSES, failed);
    if (opened.kind !== "throttled" || pause > left) throw opened;
    left -= pause;
    const resume = pauseClock();
    try {
      await SYSTEM_CLOCK.pause(pause, signal);
    } finally {
      resume();
    }
  }
}

async function shakeHands(
  name: string,
  options: AgentSocketOptions,
  words: (text: string) => string,
): Promise<AgentSocket | ConnectionError> {
  const { url, signal, answer, most = MOST_WAITING, normalCodes = [NORMAL] } = options;
  const host = URL.canParse(url) ? new URL(url).host : "its address";
  const fail = (kind: ConnectionFailure, state: string) => connectionFailure(name, kind, words(state));
  let raw: RawSocket;
  try {
    raw = await createRawSocket(url, options);
  } catch (cause) {
    throw fail("unreachable", `${host} cannot be called: ${wordsOf(cause)}`);
  }
  raw.binaryType = "arraybuffer";
  const inbox = new Inbox(most);
  const closed = later<void>();
  const opening = later<ConnectionError | undefined>();
  const stop = () => {
    if (raw.terminate) raw.terminate();
    else raw.close();
  };
  /** Words of the last error event: runtimes give a reason there, and a close event without one follows. */
  let reason = "";
  let isOpen = false;
  const end = (error?: ConnectionError) => {
    isOpen = false;
    inbox.end(error);
  };
  raw.addEventListener("open", () => {
    isOpen = true;
    opening.resolve(undefined);
  });
  raw.addEventListener("message", (event) => {
    const message = messageOf(event);
    if (!isOpen || message === undefined) return;
    const json = answer && typeof message === "string" ? parsedJson(message) : undefined;
    const answered = answer && isRecord(json) ? answer(json) : undefined;
    if (answered !== undefined) raw.send(JSON.stringify(answered));
    else if (sizeOf(message) > MOST_MESSAGE_BYTES || !inbox.add(message)) {
      const state =
        sizeOf(message) > MOST_MESSAGE_BYTES
          ? `it sent a message with more than ${MOST_MESSAGE_BYTES} bytes`
          : `more than ${most.messages} messages or ${most.bytes} bytes of it wait to be read`;
      end(fail("vendor", state));
      stop();
    }
  });
  raw.addEventListener("error", (event) => {
    reason = wordsOf(event);
    const code = eventKey(eventKey(event, "error"), "code");
    // the package `ws` gives these codes to messages that are too large or break the protocol
    const isUnreadable = typeof code === "string" && code.startsWith("WS_ERR_");
    if (isOpen) return isUnreadable ? end(fail("vendor", `what it sent cannot be read: ${reason}`)) : undefined;
    const status = Number(/(?:status code|response):? (\d{3})/.exec(reason)?.[1] ?? Number.NaN);
    const kind = REFUSALS.get(status) ?? "unreachable";
    const state = Number.isNaN(status) ? `does not answer: ${shorten(reason, 200)}` : `answers ${status}`;
    opening.resolve(fail(kind, `${host} ${state}`));
  });
  raw.addEventListener("close", (event) => {
    opening.resolve(fail("unreachable", `${host} closed the connection before it was open`));
    closed.resolve();
    const { code, words: given } = closeOf(event, reason);
    if (normalCodes.includes(code)) return end();
    const coded = code === 0 ? "" : ` with code ${code}`;
    end(fail(closeKind(code), `it closed the connection${coded}${given && `: ${shorten(given, 200)}`}`));
  });
  const abort = () => {
    opening.reject(signal.reason);
    stop();
  };
  signal.addEventListener("abort", abort, { once: true });
  // it may have been aborted while the package was loaded
  if (signal.aborted) abort();
  let failed: ConnectionError | undefined;
  try {
    failed = await opening.promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  if (failed) return failed;
  const receive: AgentSocket["receive"] = async ({ signal }) => await inbox.next(signal);
  const readJson: AgentSocket["readJson"] = (message) => {
    const json = typeof message === "string" ? parsedJson(message) : undefined;
    if (isRecord(json)) return json;
    const shown = typeof message === "string" ? shorten(words(message), 200) : `${message.length} bytes`;
    throw fail("vendor", `it sent a message that is no JSON object: ${shown}`);
  };
  return {
    protocol: raw.protocol,
    get isOpen() {
      return isOpen;
    },
    get waiting() {
      return inbox.size;
    },
    send: (message) => {
      if (!isOpen) throw inbox.error ?? fail("ended-early", "it has closed the connection");
      const isJson = typeof message !== "string" && !(message instanceof Uint8Array);
      raw.send(isJson ? JSON.stringify(message) : message);
    },
    receive,
    receiveJson: async (given) => {
      const message = await receive(given);
      return message === undefined ? undefined : readJson(message);
    },
    readJson,
    close: async () => {
      end();
      try {
        raw.close(NORMAL);
      } catch {
        // it was closed before
      }
      const timer = setTimeout(() => {
        stop();
        closed.resolve();
      }, CLOSING_MS);
      await closed.promise;
      clearTimeout(timer);
    },
  };
}

function messageOf(event: unknown): SocketMessage | undefined {
  const data = eventKey(event, "data");
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return typeof data === "string" ? data : undefined;
}

/** The code and the reason of a close event. Runtimes have 0 or 1006 for a connection that broke. */
function closeOf(event: unknown, before: string): { readonly code: number; readonly words: string } {
  const [code, reason] = [eventKey(event, "code"), eventKey(event, "reason")];
  return {
    code: typeof code === "number" && code !== 1006 ? code : 0,
    words: typeof reason === "string" && reason !== "" ? reason : before,
  };
}

/** Codes 1002, 1003, and 1007 to 1011 say what is wrong, and so do those from 3000, which are the server's own. */
function closeKind(code: number): ConnectionFailure {
  return [1002, 1003, 1007, 1008, 1009, 1010, 1011].includes(code) || code >= 3000 ? "vendor" : "ended-early";
}

/** A key of an event; events have getters, in place of keys of their own. */
function eventKey(event: unknown, key: string): unknown {
  return typeof event === "object" && event !== null ? Reflect.get(event, key) : undefined;
}

function wordsOf(event: unknown): string {
  const message = eventKey(event, "message");
  return typeof message === "string" && message !== "" ? message : "no reason is given";
}

/** Shorter values are no secrets: they would be taken out of ordinary words. */
const SHORTEST_SECRET = 8;

/** Takes secrets out of a text: those of the address and of headers, unless the agent's name has them. */
function secretWords(name: string, options: AgentSocketOptions): (text: string) => string {
  const { url, headers = {}, withoutSecrets = (text: string) => text } = options;
  const { search = "", href = url } = URL.canParse(url) ? new URL(url) : {};
  const values = [
    ...new URLSearchParams(search).values(),
    ...Object.values(headers).flatMap((value) => value.split(" ")),
  ];
  const secrets = [url, href, search, ...values, ...values.map(encodeURIComponent)]
    .filter((value) => value.length >= SHORTEST_SECRET && !name.includes(value))
    .sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "[key]"), withoutSecrets(text));
}

/** A promise that is settled from outside. */
function later<Value>() {
  let settle: { readonly resolve: (value: Value) => void; readonly reject: (reason: unknown) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value: Value) => settle?.resolve(value),
    reject: (reason: unknown) => settle?.reject(reason),
  };
}
