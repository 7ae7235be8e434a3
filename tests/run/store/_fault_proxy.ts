import { connect as connectTo, createServer, type Socket } from "node:net";

/** A TCP proxy in front of a server that can simulate failures of the server or the network. */
export interface FaultProxy extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Maximum number of concurrent requests since `resetCounts`. */
  readonly mostAtOnce: () => number;
  readonly resetCounts: () => void;
  /** Breaks every connection, and every new one until `revive`. */
  readonly kill: () => void;
  readonly revive: () => void;
  /** Forwards nothing in either direction until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Resolves when the next bytes of a client arrive. */
  readonly received: () => Promise<void>;
  /** Forwards the next request, and breaks the connection when its response comes; resolves then. */
  readonly loseNextAnswer: () => Promise<void>;
}

/** Starts a proxy for an `http://` URL of this machine. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const busy = new Set<Socket>();
  let most = 0;
  let dead = false;
  let frozen = false;
  let loseAnswer: (() => void) | undefined;
  const onReceived = new Set<() => void>();
  const server = createServer((client) => {
    client.on("error", () => {});
    if (dead) return void client.destroy();
    const upstream = connectTo(Number(port), hostname);
    upstream.on("error", () => {});
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      busy.delete(client);
      client.destroy();
      upstream.destroy();
    };
    client.on("close", end);
    upstream.on("close", end);
    client.on("data", (bytes) => {
      busy.add(client);
      most = Math.max(most, busy.size);
      upstream.write(bytes);
      for (const resolve of onReceived) resolve();
      onReceived.clear();
    });
    upstream.on("data", (bytes) => {
      busy.delete(client);
      if (!loseAnswer) return void client.write(bytes);
      loseAnswer();
      loseAnswer = undefined;
      end();
    });
    if (frozen) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address with a port");
  const kill = () => {
    dead = true;
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    mostAtOnce: () => most,
    resetCounts: () => {
      most = 0;
    },
    kill,
    revive: () => {
      dead = false;
    },
    freeze: () => {
      frozen = true;
      for (const sockets of pairs) for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const sockets of pairs) for (const socket of sockets) socket.resume();
    },
    received: () => new Promise((resolve) => onReceived.add(resolve)),
    loseNextAnswer: () =>
      new Promise((resolve) => {
        loseAnswer = resolve;
      }),
    [Symbol.asyncDispose]: async () => {
      kill();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
