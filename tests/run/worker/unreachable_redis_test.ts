import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { openQueue, startWorker } from "../../../src/run/worker/mod.ts";

const OPENERS = {
  openQueue: (url: string, signal: AbortSignal) => openQueue(url, { signal }),
  startWorker: (url: string, signal: AbortSignal) => startWorker(url, { signal, store: ":memory:" }),
};

for (const [name, open] of Object.entries(OPENERS))
  test(`${name}() can be cancelled while a Redis does not answer`, async () => {
    const controller = new AbortController();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      controller.abort(new Error("enough"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await assert.rejects(open(`redis://127.0.0.1:${port}`, controller.signal), { code: "aborted" });
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
