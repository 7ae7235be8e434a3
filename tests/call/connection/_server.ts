import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a server of a test got. */
export interface TakenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they have sent
  readonly body: any;
}

/** How a server answers: a status with JSON or text and headers, or a function that writes to the response itself. */
export type Answer =
  | { readonly status?: number; readonly json?: unknown; readonly text?: string; readonly headers?: Headers }
  | ((response: ServerResponse) => void);

type Headers = { readonly [name: string]: string };

/** A server on 127.0.0.1 that notes its requests. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly taken: TakenRequest[];
  /** Statuses of the answers, by the number of the request from 0; absent for those that a function wrote. */
  readonly statuses: readonly (number | undefined)[];
}

/** Starts a server. `answer` gets each request and its number, from 1. */
export async function startServer(
  answer: (request: TakenRequest, number: number) => Answer | Promise<Answer>,
): Promise<TestServer> {
  const taken: TakenRequest[] = [];
  const statuses: (number | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: JSON.parse(Buffer.concat(chunks).toString() || "null") };
      const index = taken.push(one) - 1;
      const answered = await answer(one, taken.length);
      if (typeof answered === "function") return answered(response);
      statuses[index] = answered.status ?? 200;
      const { status = 200, json, text = JSON.stringify(json), headers: own } = answered;
      response.writeHead(status, { "content-type": "application/json", ...own }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    statuses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
