import pRetry from "p-retry";
import { DeployError } from "../../errors.ts";
import { type Clock, type JsonObject, SYSTEM_CLOCK, startTimeLimit } from "../../values/mod.ts";
import { FailedRequest, readAnswer, withoutKey } from "./answers.ts";

/** Connection to a platform. */
export interface Connection {
  /** Such as `https://api.retellai.com`; a proxy or a local platform. */
  readonly baseUrl: string;
  /** Never written to a file, a plan or an error. */
  readonly key: string;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** A request to a platform. */
export interface PlatformRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Including the id, such as `/get-agent/agent_1`. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: JsonObject;
  /** Whether a `POST` only reads, so that it can be retried. */
  readonly isRead?: boolean;
  /** The subject of the request, for errors: `agent "help-desk"`. */
  readonly about: string;
}

/** Sends requests to a platform. */
export interface PlatformClient {
  /**
   * @returns The body of the response; `undefined` for an empty one.
   * @throws {DeployError} `platform-refused` with the platform's own message, `platform-key` for a rejected key,
   * `platform-missing` if the resource does not exist, `platform-unreachable` if there is no response, or `aborted`.
   */
  readonly send: (request: PlatformRequest) => Promise<unknown>;
}

const RETRIES = 4;
const TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 500;

/**
 * Creates a client. Idempotent requests (`GET`, `PATCH`, `DELETE`) are retried after a 429, a 5xx and a broken
 * connection; a `POST` only after a 429, since it could create a resource twice. Redirects are not followed: they would
 * send the key to another address.
 *
 * @throws {DeployError} `platform-key` for a key with characters that a header cannot contain.
 */
export function createPlatformClient(connection: Connection): PlatformClient {
  const { key, signal, clock = SYSTEM_CLOCK } = connection;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new DeployError(`Cannot use the key: it ${key === "" ? "is empty" : "has blanks or unusual characters"}`, {
      code: "platform-key",
      hint: "Copy the key again from the platform's dashboard",
    });
  }
  return {
    send: async (request) => {
      try {
        return await pRetry(() => sendOnce(connection, request), {
          retries: RETRIES,
          minTimeout: 0,
          maxTimeout: 0,
          shouldRetry: ({ error }) => !signal?.aborted && isWorthRetrying(error, request),
          onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
            if (retriesLeft > 0 && isWorthRetrying(error, request))
              await clock.pause(waitAfter(error, attemptNumber), signal);
          },
        });
      } catch (error) {
        if (signal?.aborted) throw aborted(request.about);
        throw error instanceof FailedRequest ? error.reason : error;
      }
    },
  };
}

function isWorthRetrying(error: unknown, { method, isRead = false }: PlatformRequest): boolean {
  if (!(error instanceof FailedRequest)) return false;
  if (error.status === 429) return true;
  return (method !== "POST" || isRead) && (error.status === undefined || error.status >= 500);
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof FailedRequest ? error.retryAfterMs : undefined;
  return asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
}

async function sendOnce(connection: Connection, request: PlatformRequest): Promise<unknown> {
  const { baseUrl, key, fetch: send = fetch, requestTimeoutMs = TIMEOUT_MS, signal } = connection;
  const { clock = SYSTEM_CLOCK } = connection;
  const { method, path, query = {}, body, about } = request;
  const url = urlOf(baseUrl, path, query);
  using limit = startTimeLimit(requestTimeoutMs, signal, clock);
  let response: Response;
  let text: string;
  try {
    signal?.throwIfAborted();
    response = await send(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: "manual",
      signal: limit.signal,
    });
    text = await response.text();
  } catch (cause) {
    const why = limit.expired() ? `no answer in ${requestTimeoutMs} ms` : wordsOf(cause, key);
    throw new FailedRequest(unreachable(url, about, why));
  }
  return readAnswer(response, text, { about, key, nowMs: clock.now() });
}

function urlOf(baseUrl: string, path: string, query: NonNullable<PlatformRequest["query"]>): URL {
  const url = URL.canParse(baseUrl) ? new URL(`${baseUrl.replace(/\/+$/, "")}${path}`) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new DeployError(`Cannot reach the platform: the base URL "${baseUrl}" is not a URL`, {
      code: "platform-unreachable",
      hint: "Set a base URL such as https://api.retellai.com",
    });
  }
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** The message of a failed connection, without the key: runtimes quote invalid headers. */
function wordsOf(cause: unknown, key: string): string {
  if (!(cause instanceof Error)) return "";
  const { cause: inner } = cause;
  return withoutKey((inner instanceof Error ? inner : cause).message, key);
}

function unreachable(url: URL, about: string, why: string): DeployError {
  const message = `${about}: ${url.origin} does not answer${why ? `: ${why}` : ""}`;
  return new DeployError(message, { code: "platform-unreachable", hint: "Check the connection and try again" });
}

function aborted(about: string): DeployError {
  return new DeployError(`${about}: cancelled`, { code: "aborted", hint: "Run the command again" });
}
