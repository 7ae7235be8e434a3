import { ScenarioError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import { backoffMs, type Clock, startTimeLimit, thrownWords } from "../../base/values/mod.ts";

/** The queue that all runs and workers share. */
export const QUEUE = "callweave";
/** Time limit for connecting to Redis. */
export const CONNECT_MS = 10_000;
/** Time limit for closing a connection. */
const CLOSE_MS = 2_000;
/** Pauses between attempts to reconnect. */
const PAUSES = { firstMs: 100, longestMs: 2_000 };

/**
 * Loads BullMQ.
 *
 * @throws {ScenarioError} `missing-package`.
 */
export async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    const [bullmq] = await Promise.all([import("bullmq"), import("ioredis")]);
    return bullmq;
  } catch (cause) {
    throw new ScenarioError("Cannot use a queue: bullmq or ioredis cannot be loaded", {
      code: "missing-package",
      path: ["queue"],
      hint: "Install them: npm install bullmq ioredis",
      cause,
    });
  }
}

/** Options of a connection to Redis, for BullMQ and ioredis. */
export interface RedisAddress {
  readonly url: string;
  readonly maxRetriesPerRequest: null;
  readonly connectTimeout: number;
  readonly retryStrategy: (tries: number) => number;
}

/**
 * Returns the connection options of a Redis. The URL, which may contain a password, is in no message.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function connectionOf(url: unknown): RedisAddress {
  if (typeof url === "string" && /^(?:rediss?|unix):\/\/./.test(url) && URL.canParse(url))
    return {
      url,
      maxRetriesPerRequest: null, // commands wait until Redis is back; the callers limit the wait
      connectTimeout: CONNECT_MS,
      retryStrategy: (tries: number) => backoffMs(PAUSES, tries),
    };
  throw new ScenarioError("Cannot use a queue: the URL is not that of a Redis", {
    code: "invalid-option",
    path: ["queue"],
    hint: "Write redis://HOST:PORT, rediss://… with TLS, or unix:///PATH",
  });
}

/** Returns a listener for the errors of a connection. It warns of each error once, although reconnecting repeats it. */
export function warnOfErrors(onWarning: (warning: string) => void): (error: unknown) => void {
  let told: string | undefined;
  return (error) => {
    const words = redact(thrownWords(error));
    if (words !== told) onWarning(`The queue's Redis does not answer, trying again: ${words}`);
    told = words;
  };
}

/**
 * Waits until a Redis answers. BullMQ must not be started before: it cannot end a connection that was never ready, which
 * would keep the process alive.
 *
 * @throws {ScenarioError} `queue-unavailable` after 10 s; `aborted`.
 */
export async function reachRedis(
  address: RedisAddress,
  { onError, ...waiting }: Omit<WaitLimits, "limitMs"> & { readonly onError: (error: unknown) => void },
): Promise<void> {
  const { Redis } = await import("ioredis");
  const client = new Redis(address.url, address);
  client.on("error", onError); // the client tries again
  try {
    await connected(client.ping(), waiting);
  } finally {
    client.disconnect();
  }
}

/**
 * Waits for connections to Redis.
 *
 * @throws {ScenarioError} `queue-unavailable` after 10 s; `aborted`.
 */
export async function connected(ready: Promise<unknown>, waiting: Omit<WaitLimits, "limitMs">): Promise<void> {
  const accepted = ready.catch(() => {
    throw unavailable("it refused the connection");
  });
  try {
    await answered(accepted, { ...waiting, limitMs: CONNECT_MS });
  } catch (error) {
    throw waiting.signal?.aborted ? cancelled(error) : error;
  }
}

/** Limits of a wait for Redis. */
export interface WaitLimits {
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly timers: Clock;
}

/**
 * Waits for an answer of Redis. A command waits until Redis is back, so each wait needs a limit.
 *
 * @throws {ScenarioError} `queue-unavailable` when the time limit passes. Throws the signal's reason when it is aborted.
 */
export async function answered<Answer>(
  answer: Promise<Answer>,
  { limitMs, signal, timers }: WaitLimits,
): Promise<Answer> {
  using limit = startTimeLimit(limitMs, signal, timers);
  try {
    return await limit.until(answer);
  } catch (error) {
    throw limit.expired() ? unavailable(`it did not answer within ${limitMs} ms`) : error;
  }
}

/** The methods of BullMQ's queues and workers that end their connection to Redis. */
export interface QueueConnection {
  readonly close: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
}

/** Options of {@link closeConnections}. */
export interface Closing {
  readonly timers: Clock;
  /** Time limit for closing, in milliseconds. Default: 2,000. */
  readonly limitMs?: number;
  /** Calls that run; they end before the time limit starts. */
  readonly work?: ReadonlySet<Promise<unknown>>;
}

/** Closes connections. BullMQ's `close` waits for an unreachable Redis; after the time limit they are disconnected. */
export async function closeConnections(
  connections: readonly QueueConnection[],
  { timers, limitMs = CLOSE_MS, work = new Set() }: Closing,
): Promise<void> {
  const ended = (all: Promise<unknown>) =>
    answered(all, { limitMs, timers }).then(
      () => true,
      () => false,
    );
  const closed = Promise.allSettled(connections.map((each) => each.close()));
  do {
    await Promise.allSettled(work);
    if (await ended(closed)) return;
  } while (work.size > 0); // a call that had just been taken
  await ended(Promise.allSettled(connections.map((each) => each.disconnect())));
}

function cancelled(cause: unknown): ScenarioError {
  return new ScenarioError("Cannot use the queue's Redis: connecting was cancelled", {
    code: "aborted",
    path: ["queue"],
    hint: "Run it again",
    cause,
  });
}

/** The error if Redis cannot be reached. */
export function unavailable(state: string): ScenarioError {
  return new ScenarioError(`Cannot use the queue's Redis: ${state}`, {
    code: "queue-unavailable",
    path: ["queue"],
    hint: "Check the URL, and that Redis runs",
  });
}
