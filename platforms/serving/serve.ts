import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";

/** A request to a local platform. */
export interface LocalRequest {
  readonly method: string;
  /** Without the query, such as `/get-agent/agent_1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The key of the request; empty when there is none. */
  readonly key: string;
}

/** A response; `body` is absent if it is empty. */
export interface LocalAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/**
 * A fault of a request: a response in place of the platform's, or a connection that breaks before or after the
 * platform handled the request.
 */
export type LocalFault = LocalAnswer | "cut-before" | "cut-after";

/** A platform that keeps its resources in memory. */
export interface LocalPlatform {
  /** The header that has the key alone. Default: `Authorization: Bearer KEY`. */
  readonly keyHeader?: string;
  readonly answer: (request: LocalRequest) => LocalAnswer;
}

/** A local platform that listens on 127.0.0.1. */
export interface LocalServer extends AsyncDisposable {
  /** Base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Every request so far, such as `PATCH /update-agent/agent_1`, without its key. */
  readonly requests: readonly string[];
}

/** Options of {@link serveLocally}. */
export interface LocalServerOptions {
  /** Port to listen on. Default: a free one. */
  readonly port?: number;
  /** Decides for each request, by its index, whether it fails. */
  readonly fault?: (request: LocalRequest, index: number) => LocalFault | undefined;
}

/** A platform's response to a request that may fail; `undefined` for a connection that breaks. */
export function answerOrFail(
  platform: LocalPlatform,
  request: LocalRequest,
  fault: LocalFault | undefined,
): LocalAnswer | undefined {
  if (fault === "cut-before") return undefined;
  if (fault === undefined) return platform.answer(request);
  if (fault !== "cut-after") return fault;
  platform.answer(request);
  return undefined;
}

/** Starts a server on 127.0.0.1 for a local platform. Disposing it closes open connections. */
export async function serveLocally(
  platform: LocalPlatform,
  { port = 0, fault }: LocalServerOptions = {},
): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    readRequest(incoming, platform).then(
      (request) => {
        const index = requests.push(`${request.method} ${request.path}`) - 1;
        const answer = answerOrFail(platform, request, fault?.(request, index));
        if (answer) send(response, answer);
        else response.destroy();
      },
      () => send(response, { status: 400, body: { status: "error", message: "The body is no JSON" } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage, platform: LocalPlatform): Promise<LocalRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const body: unknown = text === "" ? {} : JSON.parse(text);
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  return {
    method: incoming.method ?? "GET",
    path: decodeURI(url.pathname),
    query: url.searchParams,
    body: isRecord(body) ? body : {},
    key: keyIn((name) => incoming.headers[name]?.toString(), platform),
  };
}

/** The key in the headers of a request; empty without one. */
export function keyIn(header: (name: string) => string | null | undefined, { keyHeader }: LocalPlatform): string {
  if (keyHeader !== undefined) return header(keyHeader) ?? "";
  return (header("authorization") ?? "").replace(/^Bearer /, "");
}

function send(response: ServerResponse, { status, body, headers }: LocalAnswer): void {
  // clients parse a body of this type, even an empty one
  const type = body === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...type, ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
