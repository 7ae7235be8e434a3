import { constants, write } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import { type Clock, errorCode, SYSTEM_CLOCK, withRetries } from "../values/mod.ts";
import { fileError, type PathTarget } from "./find_place.ts";

/** A non-blocking pipe writes up to this many bytes atomically (PIPE_BUF; 4,096 on Linux, 512 on macOS). */
const CHUNK_BYTES = 512;
const RETRY_MS = 20;
const DEFAULT_LIMIT_MS = 30_000;

interface ThroughOptions {
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly clock?: WaitClock;
}

/** Writes at least one byte and returns how many. */
type Write = (bytes: Uint8Array) => Promise<number>;

/**
 * Writes a text or bytes to a FIFO, device or descriptor without blocking. Each wait for a reader has the limit.
 *
 * @throws The file system's error; `ENXIO` when nothing reads from a FIFO, `ETIMEDOUT` when its reader stops reading.
 */
export async function writeThrough(
  place: Exclude<PathTarget, { kind: "file" }>,
  content: string | Uint8Array,
  options: ThroughOptions,
): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (place.kind === "socket") return await send(place.path, bytes, options);
  if (place.kind === "descriptor") return await writeAll(toDescriptor(place.descriptor), bytes, options);
  const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
  // without O_NONBLOCK, opening a FIFO without a reader would block a thread forever
  const file = await retried("ENXIO", () => open(place.path, O_WRONLY | O_APPEND | O_NONBLOCK), options);
  try {
    await writeAll(async (part) => (await file.write(part)).bytesWritten, bytes, options);
  } finally {
    await file.close();
  }
}

/** Writes to the process's own descriptor instead of its path, because it may be a socket, which cannot be opened. */
function toDescriptor(descriptor: number): Write {
  return (part) =>
    new Promise((resolve, reject) => {
      write(descriptor, part, 0, part.length, null, (error, written) => (error ? reject(error) : resolve(written)));
    });
}

async function writeAll(writePart: Write, bytes: Uint8Array, options: ThroughOptions): Promise<void> {
  let at = 0;
  while (at < bytes.length) {
    const part = bytes.subarray(at, at + CHUNK_BYTES);
    at += await retried("EAGAIN", () => writePart(part), options);
  }
}

/** Retries while the error has this code. The limit restarts after each part that was written. */
async function retried<Result>(
  code: "ENXIO" | "EAGAIN",
  attempt: () => Promise<Result>,
  { limitMs = DEFAULT_LIMIT_MS, signal, clock = MONOTONIC }: ThroughOptions,
): Promise<Result> {
  const until = clock.now() + limitMs;
  try {
    return await withRetries(attempt, {
      mayPass: (error) => errorCode(error) === code && clock.now() < until,
      pauseMs: () => RETRY_MS,
      clock,
      signal,
    });
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw new DOMException("The operation was aborted", "AbortError");
    const isSlow = code === "EAGAIN" && errorCode(error) === code;
    throw isSlow ? fileError("ETIMEDOUT", `its reader did not read for ${limitMs} ms`) : error;
  }
}

async function send(path: string, bytes: Uint8Array, { limitMs = DEFAULT_LIMIT_MS, signal }: ThroughOptions) {
  signal?.throwIfAborted();
  const socket = connect(path);
  let stop = () => {};
  const sent = new Promise<void>((resolve, reject) => {
    stop = () => reject(signal?.reason);
    socket.setTimeout(limitMs, () => reject(fileError("ETIMEDOUT", `its reader did not read for ${limitMs} ms`)));
    socket.on("error", reject);
    socket.on("connect", () => socket.end(bytes, resolve));
  });
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await sent;
  } finally {
    signal?.removeEventListener("abort", stop);
    socket.destroy();
  }
}

/** The clock of a wait for another process. */
export type WaitClock = Pick<Clock, "now" | "pause">;

/** The machine's, which no change of the time of day affects. */
export const MONOTONIC: WaitClock = { now: () => performance.now(), pause: SYSTEM_CLOCK.pause };
