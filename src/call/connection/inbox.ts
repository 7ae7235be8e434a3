import type { ConnectionError } from "./connection_error.ts";

/** A message of a socket: a text, or bytes. */
export type SocketMessage = string | Uint8Array;

/** Messages that have arrived, in order, and how the connection ended. */
export class Inbox {
  readonly #most: { readonly messages: number; readonly bytes: number };
  readonly #messages: SocketMessage[] = [];
  #bytes = 0;
  #ended = false;
  #error: ConnectionError | undefined;
  #wake: (() => void) | undefined;

  constructor(most: { readonly messages: number; readonly bytes: number }) {
    this.#most = most;
  }

  get size(): number {
    return this.#messages.length;
  }
  get error(): ConnectionError | undefined {
    return this.#error;
  }

  /** Adds a message. Returns whether there was room. */
  add(message: SocketMessage): boolean {
    if (this.#ended) return true; // nobody reads it
    if (this.size >= this.#most.messages || this.#bytes + sizeOf(message) > this.#most.bytes) return false;
    this.#messages.push(message);
    this.#bytes += sizeOf(message);
    this.#wake?.();
    return true;
  }

  /** Ends it, once. What has arrived can still be read. */
  end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async next(signal: AbortSignal): Promise<SocketMessage | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const message = this.#messages.shift();
      if (message !== undefined) {
        this.#bytes -= sizeOf(message);
        return message;
      }
      if (this.#error) throw this.#error;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener("abort", wake, { once: true });
      });
    }
  }
}

/** The size of a message in memory: bytes, or characters, of which most have one byte. */
export function sizeOf(message: SocketMessage): number {
  return typeof message === "string" ? message.length : message.byteLength;
}
