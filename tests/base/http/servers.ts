import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";

/** A server on 127.0.0.1, and the requests that it got. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Authorization headers of the requests. */
  readonly keys: (string | undefined)[];
}

/** Starts a server that answers every request in one way. */
export async function startServer(answer: RequestListener): Promise<TestServer> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume();
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    keys,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Writes blanks until the other side closes the connection. */
export function writeForever(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16, " ")));
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.on("drain", more);
  more();
}
