import { CallweaveError } from "../errors.ts";
import { backoffMs, type Clock, retryAfterMs, SYSTEM_CLOCK, startTimeLimit, withRetries } from "../values/mod.ts";
import { readResponseBody } from "./body.ts";

/** Settings of {@link postJson}. */
export interface PostOptions {
  /** Sent as `Authorization: Bearer KEY`. Default: no such header. */
  readonly key?: string;
  /** Time limit of one request in milliseconds. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

const RETRIES = 3;
const TIMEOUT_MS = 10_000;
/** A server that asks to wait longer is given up. */
const LONGEST_WAIT_MS = 30_000;
/** Nobody reads the answer: this much of it is read, so that the connection can be used again. */
const MOST_BYTES = 64 * 2 ** 10;

/**
 * Posts a document to a server of the user. A 429, a 5xx and a broken connection are retried up to three times: the server
 * may get a document twice. Redirects are not followed; they would send key and document to another address.
 *
 * The address itself can be a secret, as those of chat services are: errors name only its origin, and no key.
 *
 * @param what The subject of messages: `Cannot post the report`.
 * @throws {CallweaveError} `webhook-failed`, or `aborted`.
 */
export async function postJson(url: string, document: unknown, what: string, options: PostOptions = {}): Promise<void> {
  const { signal, clock = SYSTEM_CLOCK } = options;
  const body = JSON.stringify(document);
  try {
    await withRetries(() => postOnce(new URL(url), body, { ...options, clock }), {
      most: RETRIES,
      mayPass: (error) => !signal?.aborted && error instanceof FailedPost && error.mayPass,
      pauseMs: (error, failed) =>
        (error instanceof FailedPost ? error.waitMs : undefined) ?? backoffMs({ firstMs: 500 }, failed),
      signal,
      clock,
    });
  } catch (error) {
    if (signal?.aborted) throw new CallweaveError(`${what}: stopped`, { code: "aborted", hint: "Run it again" });
    const state = error instanceof FailedPost ? error.message : "it cannot be sent";
    throw new CallweaveError(`${what}: ${new URL(url).origin} ${state}`, {
      code: "webhook-failed",
      hint: "Check the address, its key, and that the server is up",
    });
  }
}

/** A failed request, in words that continue the server's name, and whether another one can help. */
class FailedPost extends Error {
  readonly mayPass: boolean;
  readonly waitMs: number | undefined;

  constructor(state: string, mayPass: boolean, waitMs?: number) {
    super(state);
    this.mayPass = mayPass;
    this.waitMs = waitMs;
  }
}

async function postOnce(url: URL, body: string, options: PostOptions & { readonly clock: Clock }): Promise<void> {
  const { key, requestTimeoutMs = TIMEOUT_MS, fetch: send = fetch, signal, clock } = options;
  using limit = startTimeLimit(requestTimeoutMs, signal, clock);
  const exchange = async () => {
    const response = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body,
      redirect: "manual",
      signal: limit.signal,
    });
    await readResponseBody(response, MOST_BYTES, limit.signal);
    return response;
  };
  let response: Response;
  try {
    response = await limit.until(exchange());
  } catch {
    // what runtimes say of it may quote the address or the key
    throw new FailedPost(limit.expired() ? `does not answer in ${requestTimeoutMs} ms` : "cannot be reached", true);
  }
  const { status, ok, headers } = response;
  if (ok) return;
  if (status >= 300 && status < 400) throw new FailedPost(`redirects (${status})`, false);
  const waitMs = retryAfterMs(headers.get("retry-after"), clock.now());
  const mayPass = (status === 429 || status >= 500) && (waitMs ?? 0) <= LONGEST_WAIT_MS;
  throw new FailedPost(`answers ${status}`, mayPass, waitMs);
}
