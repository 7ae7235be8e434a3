import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import type { TakenRequest } from "./_server.ts";

/** How a server answers a request that is no handshake, or refuses a handshake. */
export interface PlainAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
}

/**
 * What happens in place of a message of the server: the connection breaks or is closed with a code, nothing more comes,
 * a half of the message comes, or another text.
 */
export type SocketFault = "break" | "stall" | "half" | { readonly close: number } | { readonly text: string };

export interface SocketServerOptions {
  /** Plays the agent of one connection. It ends when the caller has gone. */
  readonly play: (socket: ServerSocket, request: TakenRequest) => Promise<void>;
  /** Answers requests that are no handshakes. Default: 404. */
  readonly answer?: (request: TakenRequest, number: number) => PlainAnswer | "break" | "stall" | Promise<PlainAnswer>;
  /** Refuses a handshake; `undefined`: it is accepted. Handshakes are counted from 1. */
  readonly refuse?: (request: TakenRequest, number: number) => PlainAnswer | "break" | "stall" | undefined;
  /** What happens in place of a message of the server. Messages are counted from 1, over all connections. */
  readonly fault?: (message: string, number: number) => SocketFault | undefined;
}

/** The server's side of a connection. */
export interface ServerSocket {
  /** Sends a text, bytes, or anything else as JSON. */
  send(message: unknown): void;
  /** The next message of the client as JSON; `undefined` when it has closed the connection. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they have sent
  next(): Promise<any>;
  close(code?: number, reason?: string): void;
  /** Ends the connection without a word. */
  break(): void;
}

export interface SocketServer extends AsyncDisposable {
  /** With `http:`. */
  readonly url: string;
  /** With `ws:`. */
  readonly socketUrl: string;
  /** Requests, handshakes included. */
  readonly taken: TakenRequest[];
  /** Messages of clients, over all connections. */
  readonly received: unknown[];
  /** Waits until no connection is open; a client that keeps one stops the test. */
  gone(): Promise<void>;
  /** Code with which each client closed its connection; 1006 for one that broke. */
  readonly closes: number[];
}

/**
 * Starts a server for sockets and requests on 127.0.0.1. It is made of plain TCP, so that it behaves alike on each
 * runtime and can do what servers must not.
 */
export async function startSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const { play, answer = () => ({ status: 404, json: {} }), refuse, fault } = options;
  const taken: TakenRequest[] = [];
  const received: unknown[] = [];
  const closes: number[] = [];
  const sockets = new Set<Socket>();
  const players = new Set<Promise<void>>();
  let [requests, handshakes, sent, open] = [0, 0, 0, 0];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let head: Buffer = Buffer.alloc(0);
    const read = async (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const [first = "", ...lines] = head.subarray(0, end).toString("latin1").split("\r\n");
      const [method = "", url = ""] = first.split(" ");
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      const length = Number(headers["content-length"] ?? 0);
      if (head.length < end + 4 + length) return;
      socket.off("data", read);
      const body = JSON.parse(head.subarray(end + 4, end + 4 + length).toString() || "null");
      const request: TakenRequest = { method, url, headers, body };
      taken.push(request);
      const isHandshake = headers.upgrade?.toLowerCase() === "websocket";
      const answered = isHandshake ? refuse?.(request, ++handshakes) : await answer(request, ++requests);
      if (answered === "stall") return;
      if (answered === "break") return void socket.destroy();
      if (answered) return writePlain(socket, answered);
      const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${GUID}`).digest("base64");
      const protocol = headers["sec-websocket-protocol"]?.split(",")[0]?.trim();
      const chosen = protocol ? `sec-websocket-protocol: ${protocol}\r\n` : "";
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n${chosen}\r\n`,
      );
      open += 1;
      const inbox = readFrames(socket, received, (code) => {
        open -= 1;
        closes.push(code);
      });
      let isStalled = false;
      const wire: ServerSocket = {
        next: inbox,
        break: () => void socket.destroy(),
        close: (code, reason = "") => {
          const bytes = Buffer.from(reason);
          const payload = Buffer.alloc(code === undefined ? 0 : 2 + bytes.length);
          if (code !== undefined) payload.writeUInt16BE(code, 0);
          if (code !== undefined) bytes.copy(payload, 2);
          if (!isStalled) socket.end(frame(8, payload));
        },
        send: (message) => {
          if (isStalled || socket.destroyed) return;
          const kind = message instanceof Uint8Array ? 2 : 1;
          const text = typeof message === "string" ? message : JSON.stringify(message);
          const bytes = message instanceof Uint8Array ? Buffer.from(message) : Buffer.from(text);
          const other = fault?.(kind === 2 ? `${bytes.length} bytes` : text, ++sent);
          if (other === undefined) return void socket.write(frame(kind, bytes));
          isStalled = true;
          if (other === "break") socket.destroy();
          else if (other === "half") socket.write(frame(kind, bytes.subarray(0, bytes.length / 2)));
          else if (other !== "stall" && "close" in other) {
            isStalled = false;
            wire.close(other.close);
            isStalled = true;
          } else if (other !== "stall") {
            isStalled = false;
            socket.write(frame(1, Buffer.from(other.text)));
          }
        },
      };
      const playing = play(wire, request).finally(() => players.delete(playing));
      players.add(playing);
    };
    socket.on("data", read);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    taken,
    received,
    closes,
    gone: async () => {
      while (open > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(players);
    },
  };
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

function writePlain(socket: Socket, { status = 200, json, text = JSON.stringify(json), headers = {} }: PlainAnswer) {
  const body = Buffer.from(text ?? "");
  const lines = Object.entries({ "content-type": "application/json", ...headers, "content-length": body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${head}connection: close\r\n\r\n`), body]));
}

function frame(code: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | code;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Reads the frames of a client, which are masked and whole. */
function readFrames(socket: Socket, received: unknown[], gone: (code: number) => void) {
  const messages: unknown[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let code = 1006;
  let isGone = false;
  let wake = () => {};
  const end = () => {
    if (isGone) return;
    isGone = true;
    gone(code);
    wake();
  };
  socket.on("close", end);
  socket.on("end", end);
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < 2) return;
      const short = (rest[1] ?? 0) & 127;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (rest.length < start) return;
      const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < start + 4 + length) return;
      const mask = rest.subarray(start, start + 4);
      const payload = rest.subarray(start + 4, start + 4 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
      const kind = (rest[0] ?? 0) & 15;
      rest = rest.subarray(start + 4 + length);
      if (kind === 8) {
        code = payload.length >= 2 ? Buffer.from(payload).readUInt16BE(0) : 1005;
        if (!socket.destroyed) socket.end(frame(8, Buffer.from(payload)));
        return end();
      }
      if (kind !== 1 && kind !== 2) continue;
      const message = kind === 1 ? parsed(Buffer.from(payload).toString()) : new Uint8Array(payload);
      received.push(message);
      messages.push(message);
      wake();
    }
  });
  return async (): Promise<unknown> => {
    for (;;) {
      if (messages.length > 0) return messages.shift();
      if (isGone) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
