import * as v from "valibot";
import type { CallweaveError, ErrorCode } from "../errors.ts";
import {
  backoffMs,
  isRecord,
  retryAfterMs,
  SYSTEM_CLOCK,
  shorten,
  startTimeLimit,
  withRetries,
} from "../values/mod.ts";
import { type Body, parseBody, readResponseBody } from "./body.ts";
import {
  type AnswerShape,
  type Authentication,
  isPlatformWrite,
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

/** Longest wait that a platform may ask for. A longer one is an error: nobody waits for it at a terminal. */
const LONGEST_WAIT_MS = 60_000;

/** A failed attempt, and how long to wait before the next one. */
class FailedRequest extends Error {
  readonly reason: CallweaveError;
  /** Whether another attempt can help: the platform is busy or did not answer. `refused`: it did not even begin. */
  readonly kind: "refused" | "busy" | "unreachable" | "late" | "final";
  readonly retryAfterMs: number | undefined;

  constructor(reason: CallweaveError, kind: FailedRequest["kind"] = "final", retryAfterMs?: number) {
    super(reason.message);
    this.reason = reason;
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A request, and the connection on which it was sent. */
export interface Exchange<Shape extends AnswerShape = AnswerShape> {
  readonly request: PlatformRequest<Shape>;
  readonly connection: PlatformConnection;
}

/** Redacts the key in a text. Keys of a few letters, as tests use, also occur in ordinary words. */
function withoutKey(text: string, key: string): string {
  return key.length < 8 ? text : text.replaceAll(key, "[key]");
}

/**
 * The content of an answer, in the shape that the request asks for.
 *
 * @throws {FailedRequest} For an error status, a redirect, and content that is not what was asked for.
 */
function readAnswer<Shape extends AnswerShape>(
  { status, ok, headers }: Response,
  body: Body,
  nowMs: number,
  exchange: Exchange<Shape>,
): v.InferInput<Shape> {
  const { connection, request } = exchange;
  // the key must not be sent to another address
  if (status >= 300 && status < 400) {
    const to = clean(headers.get("location") ?? "another address", connection.key);
    const said = `${request.about}: ${connection.platform} redirects to ${to}`;
    throw new FailedRequest(failure(exchange, said, "platform-answer", "Set the base URL to where the API is"));
  }
  const parsed = parseBody(body.bytes);
  if (!ok) {
    const message = "value" in parsed ? messageIn(parsed.value) : undefined;
    throw refusal({ status, message, text: beginning(body, connection.key) }, headers, nowMs, exchange);
  }
  if (!body.isWhole) throw new FailedRequest(unusable(exchange, `has more than ${body.bytes.length} bytes`, body));
  if ("problem" in parsed) throw new FailedRequest(unusable(exchange, parsed.problem, body));
  const { value } = parsed;
  // a resource has no such key; names inside of a resource are the user's
  if (
    [value, ...(Array.isArray(value) ? value : [])].some((each) => isRecord(each) && Object.hasOwn(each, "__proto__"))
  )
    throw new FailedRequest(unusable(exchange, 'has a key "__proto__"', body));
  // not the parsed output: the schema library leaves out keys such as "constructor"
  if (v.is(request.answer, value)) return value;
  throw new FailedRequest(unusable(exchange, problemOf(request.answer, value), body));
}

/** An error for an answer that is not what was asked for. */
function unusable({ request, connection }: Exchange, problem: string, body?: Body): CallweaveError {
  const { method, path, about } = request;
  const start = body && beginning(body, connection.key);
  const said = start ? `: ${start}` : "";
  const place = clean(`${method} ${path}`, connection.key);
  const message = `${about}: what ${connection.platform} answers to ${place} ${problem}${said}`;
  const hint = `Check the base URL, and that no proxy changes what ${connection.platform} answers`;
  return failure({ request, connection }, message, "platform-answer", hint);
}

/** The first problem of a value: `has no "agent_id"`. */
function problemOf(shape: AnswerShape, value: unknown): string {
  const [issue] = v.safeParse(shape, value).issues ?? [];
  const place = issue && v.getDotPath(issue);
  if (!issue || place === null || place === undefined) {
    if (value === undefined) return "is empty";
    return issue?.kind === "validation" ? issue.message : `is ${kindOf(value)}`;
  }
  if (issue.kind === "validation") return `is not what was asked for: "${shorten(place, 80)}" ${issue.message}`;
  if (issue.received === "undefined") return `has no "${shorten(place, 80)}"`;
  return `is not what was asked for: "${shorten(place, 80)}" is ${shorten(issue.received, 60)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "an object" : `${value === null ? "null" : `a ${typeof value}`}`;
}

/**
 * The message of a platform's error: a text, or a list of texts, or of objects with one. It stands under `message`,
 * under `errors` with the `detail` of each, or under `detail`, with the path of each fault in `loc`, as servers of FastAPI
 * have it; their answer for an unknown path is no message.
 */
function messageIn(answer: unknown): string | undefined {
  const { message, error_message, error, errors, detail } = isRecord(answer) ? answer : {};
  const said = message ?? error_message ?? error ?? errors ?? (detail === "Not Found" ? undefined : detail);
  const words = (Array.isArray(said) ? said : [said]).flatMap((each): readonly string[] => {
    if (!isRecord(each)) return typeof each === "string" ? [each] : [];
    const place = Array.isArray(each.loc) ? `${each.loc.join(".")}: ` : "";
    const text = [each.detail, each.message, each.msg, each.title].find((found) => typeof found === "string");
    return typeof text === "string" ? [place + text] : [];
  });
  return words.join("; ") || undefined;
}

/** The first bytes of a body, for an error. */
function beginning({ bytes }: Body, key: string): string {
  return clean(new TextDecoder().decode(bytes.subarray(0, 2000)), key);
}

/** A short text on one line, without the key and without control characters. */
function clean(text: string, key: string): string {
  const words = withoutKey(text, key).replace(/\s+/g, " ").trim();
  return shorten(words, 200).replace(
    /[\p{Cc}\p{Cf}\p{Cs}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface Refused {
  readonly status: number;
  /** The platform's own message; absent: the answer is not one of the platform's errors. */
  readonly message: string | undefined;
  /** The first bytes of the answer. */
  readonly text: string;
}

function refusal(refused: Refused, headers: Headers, nowMs: number, exchange: Exchange): FailedRequest {
  const { connection, request } = exchange;
  const { status, message, text } = refused;
  const own = message === undefined ? text || "no message" : clean(message, connection.key);
  const said = `${request.about}: ${connection.platform} answers ${status}: ${own}`;
  const fail = (code: ErrorCode, hint: string, words = said) => failure(exchange, words, code, hint);
  const { words } = connection;
  if (status === 401 || status === 403) return new FailedRequest(fail("platform-key", words.key));
  // the page of another server says nothing about the platform's resources
  if (status === 404 && message !== undefined) {
    const hint = isPlatformWrite(request)
      ? "It was deleted in the meantime: run it again"
      : "Check the id and the base URL";
    return new FailedRequest(fail("platform-missing", hint));
  }
  if (status === 404) return new FailedRequest(fail("platform-answer", "Check the base URL"));
  if (status !== 408 && status !== 429 && status < 500)
    return new FailedRequest(fail("platform-refused", "Fix the field named in the message"));
  const again = isPlatformWrite(request) ? words.writeAgain : words.readAgain;
  const asked = retryAfterMs(headers.get("retry-after"), nowMs);
  if (asked === undefined || asked <= LONGEST_WAIT_MS)
    return new FailedRequest(fail("platform-busy", again), status === 429 ? "refused" : "busy", asked);
  const wait = `${said} (it asks to wait ${Math.ceil(asked / 1000)} s)`;
  return new FailedRequest(fail("platform-busy", again, wait));
}

function failure({ connection }: Exchange, message: string, code: ErrorCode, hint: string): CallweaveError {
  return new connection.words.error(message, { code, hint });
}

/** Settings of {@link boundedFetch}. */
export interface FetchBounds {
  /** Size limit of an answer in bytes. */
  readonly mostBytes: number;
  /** The error for an answer that is too large or a redirect; the state continues "the server". */
  readonly fail: (state: string) => Error;
}

/**
 * Returns a `fetch` for a client of another package. Answers have a size limit. Redirects are an error: they would send
 * what the request has in it to an address that nobody has configured.
 */
export function boundedFetch({ mostBytes, fail }: FetchBounds): typeof fetch {
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    const { status, statusText, headers, body } = response;
    if (status >= 300 && status < 400) {
      body?.cancel().catch(() => {}); // nobody reads it
      throw fail(`redirects to ${headers.get("location") ?? "another address"}`);
    }
    return body ? new Response(counted(body, mostBytes, fail), { status, statusText, headers }) : response;
  };
  return Object.assign(send, { preconnect: () => {} });
}

function counted(body: ReadableStream<Uint8Array>, mostBytes: number, fail: FetchBounds["fail"]) {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size > mostBytes) controller.error(fail(`answers with more than ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
}
