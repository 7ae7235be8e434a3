import type * as v from "valibot";
import type { CallweaveError } from "../errors.ts";
import { backoffMs, SYSTEM_CLOCK, startTimeLimit, withRetries } from "../values/mod.ts";
import { type Exchange, FailedRequest, readAnswer, unusable, withoutKey } from "./answers.ts";
import { readResponseBody } from "./body.ts";
import {
  type AnswerShape,
  type Authentication,
  isRepeatable,
  type PlatformConnection,
  type PlatformRequest,
} from "./request.ts";

/** Sends requests to a platform. */
export interface PlatformClient {
  /**
   * @returns The content of the answer, in the shape that the request asks for.
   * @throws {CallweaveError} `platform-refused` with the platform's own message, `platform-key` for a rejected key,
   * `platform-missing` if the resource does not exist, `platform-busy` for a 408, a 429 and a 5xx, `platform-answer` for
   * an answer that is not what was asked for, `platform-unreachable` if there is no answer, or `aborted`.
   */
  readonly send: <Shape extends AnswerShape>(request: PlatformRequest<Shape>) => Promise<v.InferInput<Shape>>;
  /** An error for an answer that fits its shape, but not what is known from others: `repeats the page before it`. */
  readonly unusable: (request: PlatformRequest, problem: string) => CallweaveError;
}

const RETRIES = 4;
/** A platform that does not answer in time costs the whole limit each time. */
const LATE_RETRIES = 1;
const TIMEOUT_MS = 30_000;
const PAUSES = { firstMs: 500 };
const MOST_BYTES = 32 * 2 ** 20;
/** Only the beginning of an error's body is read: the message is there. */
const MOST_ERROR_BYTES = 64 * 2 ** 10;
const BEARER: Authentication = { header: "authorization", scheme: "Bearer" };

/**
 * Creates a client. Requests that can be repeated are retried after a 408, a 429, a 5xx and a broken connection; others,
 * such as a `POST` that creates, only after a 429, since they could create a resource twice. Redirects are not followed: they would
 * send the key to another address. Answers have a size limit, and a shape that each request names.
 *
 * @throws {CallweaveError} `platform-key` for a key with characters that a header cannot contain.
 */
export function createPlatformClient(connection: PlatformConnection): PlatformClient {
  const { key, signal, clock = SYSTEM_CLOCK, words } = connection;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new words.error(`Cannot use the key: it ${key === "" ? "is empty" : "has blanks or unusual characters"}`, {
      code: "platform-key",
      hint: "Copy the key again from the platform's dashboard",
    });
  }
  return {
    unusable: (request, problem) => unusable({ request, connection }, problem),
    send: async (request) => {
      try {
        return await withRetries(() => sendOnce(connection, request), {
          most: RETRIES,
          mayPass: (error, failed) => !signal?.aborted && mayPass(error, { request, connection }, failed),
          pauseMs: (error, failed) => askedMs(error) ?? backoffMs(PAUSES, failed),
          signal,
          clock,
        });
      } catch (error) {
        if (signal?.aborted) throw aborted(connection, request);
        throw error instanceof FailedRequest ? error.reason : error;
      }
    },
  };
}

function mayPass(error: unknown, { request, connection }: Exchange, failed: number): boolean {
  if (!(error instanceof FailedRequest) || error.kind === "final") return false;
  if (error.kind === "refused") return true;
  if (error.kind === "late" && failed > LATE_RETRIES) return false;
  return isRepeatable(request, connection);
}

function askedMs(error: unknown): number | undefined {
  return error instanceof FailedRequest ? error.retryAfterMs : undefined;
}

async function sendOnce<Shape extends AnswerShape>(
  connection: PlatformConnection,
  request: PlatformRequest<Shape>,
): Promise<v.InferInput<Shape>> {
  const { key, fetch: send = fetch, requestTimeoutMs = TIMEOUT_MS, signal, clock = SYSTEM_CLOCK } = connection;
  const { header, scheme } = connection.authentication ?? BEARER;
  const { method, body, mostBytes = MOST_BYTES } = request;
  const url = urlOf(connection, request);
  using limit = startTimeLimit(requestTimeoutMs, signal, clock);
  const exchange = async () => {
    const response = await send(url, {
      method,
      headers: { [header]: scheme ? `${scheme} ${key}` : key, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: "manual",
      signal: limit.signal,
    });
    return {
      response,
      content: await readResponseBody(response, response.ok ? mostBytes : MOST_ERROR_BYTES, limit.signal),
    };
  };
  let answer: Awaited<ReturnType<typeof exchange>>;
  try {
    signal?.throwIfAborted();
    answer = await limit.until(exchange());
  } catch (cause) {
    const isLate = limit.expired();
    const why = isLate ? `no answer in ${requestTimeoutMs} ms` : connectionErrorWords(cause, key);
    throw new FailedRequest(unreachable(connection, request, url, why), isLate ? "late" : "unreachable");
  }
  return readAnswer(answer.response, answer.content, clock.now(), { request, connection });
}

function urlOf({ baseUrl, words }: PlatformConnection, { path, query = {}, about }: PlatformRequest): URL {
  // a URL would leave out such a part, and the request would be another one
  if (/\/\.{1,2}(?:\/|$)/.test(path)) {
    throw new words.error(`${about}: "${path}" cannot be requested`, {
      code: "platform-missing",
      hint: "Check the id",
    });
  }
  const url = URL.canParse(baseUrl) ? new URL(`${baseUrl.replace(/\/+$/, "")}${path}`) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new words.error(`Cannot reach the platform: the base URL "${baseUrl}" is not a URL`, {
      code: "platform-unreachable",
      hint: "Set a base URL such as https://api.example.com",
    });
  }
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** The message of a failed connection, without the key: runtimes quote invalid headers. */
function connectionErrorWords(cause: unknown, key: string): string {
  if (!(cause instanceof Error)) return "";
  const { cause: inner } = cause;
  return withoutKey((inner instanceof Error ? inner : cause).message, key);
}

function unreachable({ words }: PlatformConnection, { about }: PlatformRequest, url: URL, why: string): CallweaveError {
  const message = `${about}: ${url.origin} does not answer${why ? `: ${why}` : ""}`;
  return new words.error(message, { code: "platform-unreachable", hint: "Check the connection and try again" });
}

function aborted({ words }: PlatformConnection, { about }: PlatformRequest): CallweaveError {
  return new words.error(`${about}: cancelled`, { code: "aborted", hint: "Run the command again" });
}
