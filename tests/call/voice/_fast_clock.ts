import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { CALL_CLOCK } from "../../../src/call/voice/frame_clock.ts";

/** A step of the time, in milliseconds: no longer than a frame, so that each of many calls has its own turn. */
const STEP_MS = 20;
/** How long a step takes at least, in milliseconds of the machine. */
const LEAST_MS = 0.4;

interface Pause {
  readonly at: number;
  readonly end: () => void;
}

/** A connection of this process to itself. */
interface Loop {
  /** Resolves when a byte has gone round: what was on its way to this process before it has been read as well. */
  readonly round: () => Promise<void>;
  /** Whether it keeps the process from ending. */
  readonly hold: (isHeld: boolean) => void;
}

let time = 0;
let isRunning = false;
let loop: Promise<Loop> | undefined;
const pauses = new Set<Pause>();

/**
 * A clock of calls that is as fast as the machine: time passes only in pauses, and between two steps everything that has
 * arrived is read. A machine that stands still thus makes no call longer, and misses no frame.
 */
export const FAST: Pick<typeof CALL_CLOCK, "now" | "pause"> = {
  now: () => time,
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        pauses.delete(pause);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const pause = { at: time + ms, end };
      pauses.add(pause);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
      if (!isRunning) void run();
    }),
};

async function run(): Promise<void> {
  isRunning = true;
  loop ??= openLoop();
  const { round, hold } = await loop;
  hold(true);
  while (pauses.size > 0) {
    const started = performance.now();
    do await round();
    while (performance.now() - started < LEAST_MS);
    const next = Math.min(...[...pauses].map(({ at }) => at));
    time = Math.max(time, Math.min(next, time + STEP_MS));
    for (const pause of [...pauses]) if (pause.at <= time) pause.end();
  }
  hold(false);
  isRunning = false;
}

async function openLoop(): Promise<Loop> {
  const server = createServer((socket) => {
    socket.setNoDelay(true).unref();
    socket.on("data", (data) => socket.write(data));
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("unreachable: it listens on TCP");
  const socket = connect(address.port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  socket.unref();
  let arrived = () => {};
  socket.on("data", () => arrived());
  return {
    round: () =>
      new Promise((resolve) => {
        arrived = resolve;
        socket.write(".");
      }),
    hold: (isHeld) => void (isHeld ? socket.ref() : socket.unref()),
  };
}
