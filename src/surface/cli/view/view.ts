import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { askChild, changedFiles } from "../../project/mod.ts";
import { type ViewPicture, type ViewState, viewPage } from "../../web/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";

const COMMON_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Maximum delay of the shutdown by a page that reads nothing. */
const LAST_WORDS_MS = 1_000;

/** A page that reads more slowly than this is disconnected; it reconnects. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

const HOST = "127.0.0.1";

/** `callweave view`. */
export const viewCommand: Command = {
  name: "view",
  summary: "Show an agent in the browser and redraw it on every save",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      port: {
        value: "N",
        kind: { type: "number", from: 0, to: 65_535, whole: true },
        description: "Port on 127.0.0.1 (default: a free one)",
      },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
    },
  },
  notes: [
    "The page shows the picture, the findings of check, and errors. Files that SOURCE imports are watched too.",
    "Ctrl-C stops it.",
  ],
  examples: ["callweave view flow.ts", `callweave view ${EXAMPLE.format}-export.json --port 4000`],
  run: async (args, { out, signal }) => {
    const path = args.at("SOURCE");
    if (path === "-") throw usage("standard input cannot be watched", "Name a file");
    const server = await serveView(args.number("port") ?? 0);
    out(`${path} is shown at ${server.address}\n`);
    try {
      await follow({ path, exportName: args.text("export"), format: args.text("from") }, signal, server.publish);
    } finally {
      await server.close();
    }
    return 0;
  },
};

/**
 * Draws an agent, and again whenever it, or a file that it imports, is saved, until the signal aborts.
 *
 * @param onState Called with each new state.
 */
async function follow(source: ViewedSource, signal: AbortSignal, onState: (state: ViewState) => void): Promise<void> {
  let state: ViewState = { picture: undefined, error: undefined };
  let current = new AbortController();
  for await (const _ of changedFiles([source.path], signal)) {
    current.abort(); // what it draws is old
    current = new AbortController();
    void draw(AbortSignal.any([signal, current.signal]));
  }

  async function draw(stopped: AbortSignal): Promise<void> {
    const rendered = await render(source, stopped);
    if (!rendered || stopped.aborted) return;
    state = "picture" in rendered ? { ...rendered, error: undefined } : { ...state, error: rendered.error };
    onState(state);
  }
}

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

export interface ViewedSource {
  readonly path: string;
  readonly exportName: string | undefined;
  readonly format: string | undefined;
}

/** A picture, or the error as the command line prints it. */
export type Rendered = { readonly picture: ViewPicture } | { readonly error: string };

/**
 * Draws and checks an agent in a separate process, so that every save loads all modules afresh, and an endless loop can
 * be stopped.
 *
 * @param signal Stops the process; the result is `undefined` then.
 */
async function render(source: ViewedSource, signal: AbortSignal): Promise<Rendered | undefined> {
  const script = new URL("./render_child", import.meta.url);
  const stdio = ["ignore", 2, "inherit", "ipc"] as const; // standard output is for the address
  const answer = await askChild({ script, request: source, stdio: [...stdio], signal });
  if (answer && "problem" in answer) return { error: `error: Cannot load "${source.path}": ${answer.problem}` };
  return answer?.message as Rendered | undefined; // of render_child.ts
}
