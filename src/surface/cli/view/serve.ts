import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { type ViewState, viewPage } from "../../web/mod.ts";

const HOST = "127.0.0.1";
/** A page that reads more slowly than this is disconnected; it reconnects. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** Maximum delay of the shutdown by a page that reads nothing. */
const LAST_WORDS_MS = 1_000;

/** A server of one page and its events. */
export interface ViewServer {
  readonly address: string;
  /** Sends a state to every open page, and to those that open later. */
  readonly publish: (state: ViewState) => void;
  readonly close: () => Promise<void>;
}

/**
 * Serves the page on 127.0.0.1. Requests under other host names are refused, so that no website can read the page
 * through a name of its own (DNS rebinding).
 *
 * @param port 0 takes a free one.
 * @throws {UsageError} `cannot-listen`.
 */
export async function serveView(port: number): Promise<ViewServer> {
  const pages = new Set<ServerResponse>();
  const nonce = randomUUID();
  let event = "";
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    const { host = "", origin } = request.headers;
    const isOwn = hosts.includes(host) && (origin === undefined || hosts.some((each) => origin === `http://${each}`));
    if (!isOwn) return answer(response, 403, "Open the address that callweave view printed.\n");
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "Only GET is allowed.\n");
    if (request.url === "/events") return openEvents(request, response);
    if (request.url !== "/") return answer(response, 404, "There is only one page.\n");
    answer(response, 200, request.method === "GET" ? viewPage(nonce) : "", pageHeaders(nonce));
  });
  await listen();
  const address = server.address();
  const bound = isRecord(address) ? Number(address.port) : port;
  hosts = [`${HOST}:${bound}`, `localhost:${bound}`];
  return {
    address: `http://${HOST}:${bound}/`,
    publish: (state) => {
      event = `data: ${JSON.stringify(state)}\n\n`;
      for (const page of pages) {
        if (page.writableLength > MOST_UNREAD_BYTES) page.destroy();
        else page.write(event);
      }
    },
    close: async () => {
      await Promise.race([Promise.all([...pages].map(ended)), setTimeout(LAST_WORDS_MS, undefined, { ref: false })]);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };

  function openEvents(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { ...COMMON_HEADERS, "content-type": "text/event-stream" });
    response.write(event || ": waiting\n\n");
    pages.add(response);
    request.on("close", () => pages.delete(response));
    response.on("error", () => pages.delete(response));
  }

  function listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once("error", (cause) => {
        const isTaken = isRecord(cause) && cause.code === "EADDRINUSE";
        const state = isTaken ? "another program uses it" : cause.message;
        const hint = "Name another port with --port, or leave it out";
        reject(new UsageError(`Cannot serve on port ${port}: ${state}`, { code: "cannot-listen", hint, cause }));
      });
      server.listen(port, HOST, resolve);
    });
  }
}

function ended(page: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    page.once("close", resolve);
    page.end(resolve);
  });
}

const COMMON_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function pageHeaders(nonce: string): { readonly [name: string]: string } {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: { readonly [name: string]: string } = { "content-type": "text/plain; charset=utf-8" },
): void {
  response.writeHead(status, { ...COMMON_HEADERS, ...headers });
  response.end(text);
}
