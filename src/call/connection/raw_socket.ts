import { versions } from "node:process";

/** Largest message, in bytes. */
export const MOST_MESSAGE_BYTES = 8 * 2 ** 20;

/** What a handshake is made of. */
export interface Handshake {
  /** Subprotocols, the preferred first. */
  readonly protocols?: readonly string[];
  /** Headers of the handshake. */
  readonly headers?: { readonly [name: string]: string };
}

/** What runtimes' sockets and those of `ws` have in common. */
export interface RawSocket {
  binaryType: string;
  readonly protocol: string;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
  terminate?(): void;
  addEventListener(type: string, listener: (event: unknown) => void): void;
}

/**
 * Starts the handshake of a socket. Bun and Deno have sockets. Node's own hides the status of a refused handshake, and
 * Node 20 has none, so that Node uses the package `ws`.
 */
export async function createRawSocket(url: string, { protocols = [], headers = {} }: Handshake): Promise<RawSocket> {
  const isOwn = versions.bun !== undefined || versions.deno !== undefined;
  if (!isOwn) return await createNodeSocket(url, protocols, headers);
  const made: unknown = Reflect.construct(globalThis.WebSocket, [url, { protocols: [...protocols], headers }]);
  if (isRawSocket(made)) return made;
  throw new TypeError("this runtime has no WebSocket");
}

async function createNodeSocket(
  url: string,
  protocols: readonly string[],
  headers: { readonly [name: string]: string },
): Promise<RawSocket> {
  const { WebSocket } = await import("ws");
  const limits = { maxPayload: MOST_MESSAGE_BYTES, perMessageDeflate: false };
  const made: unknown = new WebSocket(url, [...protocols], { headers, ...limits });
  if (isRawSocket(made)) return made;
  throw new TypeError("the package ws has no WebSocket");
}

function isRawSocket(value: unknown): value is RawSocket {
  return typeof value === "object" && value !== null && "addEventListener" in value && "binaryType" in value;
}
