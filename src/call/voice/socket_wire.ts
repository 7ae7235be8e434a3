import { Buffer } from "node:buffer";
import { connectionFailure, type SocketMessage } from "../connection/mod.ts";
import type { VoiceWire, WireEvent } from "./voice_wire.ts";

/** What a message of the agent means: events, in order. `over`: the call ends with them. */
export type ReadMessage = readonly WireEvent[] | { readonly over: readonly WireEvent[] };

/** Where the messages of a call come from, such as a socket. */
export interface MessageSource<Message> {
  /** Whether the agent can still be talked to. */
  readonly isOpen: boolean;
  /**
   * The next message; `undefined` when the agent has closed the connection.
   *
   * @throws {ConnectionError} When it ended in another way.
   */
  receive(options: { readonly signal: AbortSignal }): Promise<Message | undefined>;
  /** Never throws. */
  close(): Promise<void>;
}

/** A socket, or something like it, that carries the sound of a call, and the messages of a platform. */
export interface SocketWireParts<Message = SocketMessage> extends Pick<VoiceWire, "rate" | "send"> {
  readonly socket: MessageSource<Message>;
  /** @throws {ConnectionError} For a message that cannot be read. */
  readonly read: (message: Message) => ReadMessage;
  /** What has arrived before the call began. Default: nothing. */
  readonly early?: readonly WireEvent[];
  /** What it means that the agent closes the connection normally. Default: nothing besides the end of the call. */
  readonly closed?: () => readonly WireEvent[];
  /** Says that the call ends, before the socket is closed. It may throw. */
  readonly bye?: () => void;
}

/** A wire over a socket. */
export function socketWire<Message = SocketMessage>(parts: SocketWireParts<Message>): VoiceWire {
  const { socket, rate, send, read, early = [], closed, bye } = parts;
  const events: WireEvent[] = [...early];
  let isOver = false;
  return {
    rate,
    send,
    receive: async ({ signal }) => {
      for (;;) {
        const event = events.shift();
        if (event) return event;
        if (isOver) return undefined;
        const message = await socket.receive({ signal });
        const found = message === undefined ? { over: closed?.() ?? [] } : read(message);
        isOver = "over" in found;
        events.push(...("over" in found ? found.over : found));
      }
    },
    hangUp: async () => {
      try {
        if (socket.isOpen) bye?.();
      } catch {
        // the agent has closed the connection
      }
      await socket.close();
    },
  };
}

/**
 * Reads the sound in a message of JSON.
 *
 * @param what For messages: `"audio" without sound`.
 * @throws {ConnectionError} `vendor` for what is no base64.
 */
export function bytesOf(text: unknown, { name, what }: { readonly name: string; readonly what: string }): Uint8Array {
  if (typeof text === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, "base64");
  throw connectionFailure(name, "vendor", `it sent ${what} whose sound is no base64`);
}

/** The sound in a message of JSON. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Keeps whether the agent is busy, and returns the event when that changes. */
export function busyEvents(): (on: boolean) => readonly WireEvent[] {
  let isOn = false;
  return (on) => {
    if (on === isOn) return [];
    isOn = on;
    return [{ kind: "busy", on }];
  };
}
