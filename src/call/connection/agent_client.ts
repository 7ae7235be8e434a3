import { env as environment } from "node:process";
import { ScenarioError } from "../../base/errors.ts";
import { parseBody, readResponseBody } from "../../base/http/mod.ts";
import {
  backoffMs,
  isRecord,
  type JsonObject,
  OPTION,
  retryAfterMs,
  rule,
  SYSTEM_CLOCK,
  shorten,
} from "../../base/values/mod.ts";
import { type ConnectionError, type ConnectionFailure, connectionFailure } from "./connection_error.ts";

/** Where an agent answers, and how requests show their key. */
export interface EndpointOptions {
  /** Name of the agent in reports. It has no secrets. */
  readonly name?: string;
  /** Version of the agent. It is stored with the run. */
  readonly version?: string;
  readonly url: string;
  /** Name of the environment variable with the key. Default: no key. */
  readonly keyVariable?: string;
  /** The header that has the key. Default: `authorization`, with `Bearer` before the key. */
  readonly keyHeader?: string;
  /** Other headers. They are not redacted in errors: pass no secrets. */
  readonly headers?: { readonly [name: string]: string };
  /**
   * How long a request waits at most while the server refuses it because there are too many (HTTP 429), in milliseconds.
   * Default: 60,000.
   */
  readonly throttleLimitMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** The environment with the key. Default: that of the process. */
  readonly env?: { readonly [name: string]: string | undefined };
}

/** Rules of {@link EndpointOptions}. */
export const ENDPOINT_RULES = {
  name: OPTION.text,
  version: OPTION.text,
  url: rule(
    "a URL that starts with http:// or https://, without a user and a password",
    (value) => typeof value === "string" && isAddress(value),
  ),
  keyVariable: rule(
    "the name of an environment variable",
    (value) => typeof value === "string" && /^[A-Za-z_]\w*$/.test(value),
  ),
  keyHeader: rule("the name of a header", (value) => typeof value === "string" && /^[A-Za-z][\w-]*$/.test(value)),
  headers: rule("an object with texts that a header can contain", isHeaders),
  throttleLimitMs: OPTION.milliseconds,
  fetch: OPTION.function,
  env: OPTION.object,
};

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

function isHeaders(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => /^[A-Za-z][\w-]*$/.test(name) && typeof text === "string" && /^[\x20-\x7e]*$/.test(text),
  );
}

/** How one request of a call is sent. */
export interface CallRequest {
  readonly signal: AbortSignal;
  readonly pauseClock: () => () => void;
}

/** A request to a part of an agent's server. */
export interface AgentRequest {
  /** Default: `POST` with a body, `GET` without one. */
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path below the URL of the server, such as `/chat`. Ids in it are escaped. Default: the URL itself. */
  readonly path?: string;
  readonly query?: { readonly [name: string]: string | undefined };
  readonly body?: JsonObject;
}

/** Sends the requests of an agent's calls. */
export interface AgentClient {
  /** Sends a body as JSON to the URL itself; like `send()`. */
  readonly post: (body: JsonObject, request: CallRequest) => Promise<unknown>;
  /**
   * Sends a request and returns its answer; `null` for an empty one.
   *
   * A request that the server has refused because there are too many (HTTP 429) is sent again. No other request is: the
   * agent may have called a tool.
   *
   * @throws {ConnectionError}
   */
  readonly send: (what: AgentRequest, request: CallRequest) => Promise<unknown>;
  /** Text that may quote the key, without it and without the secrets that were hidden. */
  readonly withoutSecrets: (text: string) => string;
  /** Keeps a secret that the server gave, such as a token in a URL, out of errors. */
  readonly hide: (secret: string) => void;
  /** The value of the header with the key; `undefined` for a server without a key. */
  readonly key: string | undefined;
}

const MOST_BYTES = 8 * 2 ** 20;
const MOST_ERROR_BYTES = 64 * 2 ** 10;
const THROTTLE_LIMIT_MS = 60_000;
const SHORTEST_PAUSE_MS = 50;
const PAUSES = { firstMs: 500, longestMs: 10_000 };

/**
 * Creates the client of an agent's server.
 *
 * @throws {ScenarioError} `invalid-option` when there is no URL; `missing-key-variable` when the environment has no key.
 */
export function createAgentClient(name: string, options: EndpointOptions): AgentClient {
  const { url, throttleLimitMs = THROTTLE_LIMIT_MS, fetch: send = fetch } = options;
  if (url === undefined)
    throw new ScenarioError("Cannot connect: there is no URL", {
      code: "invalid-option",
      path: ["url"],
      hint: 'Pass { url: "https://…" }',
    });
  const key = keyOf(options);
  const secrets = new Set(key === undefined ? [] : [key]);
  const headers = {
    ...options.headers,
    // a runtime sends a request again by itself when a connection that was used before breaks: use each one once
    connection: "close",
    ...keyHeader(options, key),
  };
  const fail = (kind: ConnectionFailure, state: string, cause?: unknown) =>
    connectionFailure(
      name,
      kind,
      without(state, secrets),
      cause === undefined ? {} : { cause: causeOf(cause, secrets) },
    );

  const attempt = async (to: URL, init: RequestInit, signal: AbortSignal): Promise<Answer> => {
    let response: Response;
    try {
      response = await send(to, { ...init, redirect: "manual", signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw fail(
        isCut(cause) ? "ended-early" : "unreachable",
        `${to.origin} does not answer: ${wordsOf(cause)}`,
        cause,
      );
    }
    try {
      const mostBytes = response.ok ? MOST_BYTES : MOST_ERROR_BYTES;
      return { response, body: await readResponseBody(response, mostBytes, signal) };
    } catch (cause) {
      signal.throwIfAborted();
      throw fail("ended-early", `the answer ended early: ${wordsOf(cause)}`, cause);
    }
  };

  const contentOf = ({ response: { status, ok }, body }: Answer, mayBeEmpty: boolean): unknown => {
    if (!ok) throw refusal(status, textOf(body.bytes, secrets), fail);
    if (!body.isWhole) throw fail("vendor", `its answer has more than ${MOST_BYTES} bytes`);
    if (body.bytes.length === 0 && mayBeEmpty) return null;
    const parsed = parseBody(body.bytes);
    if ("problem" in parsed) throw fail("vendor", `its answer ${parsed.problem}: ${textOf(body.bytes, secrets)}`);
    return parsed.value;
  };

  const sendRequest: AgentClient["send"] = async ({ path, query = {}, body: content, ...what }, request) => {
    const { signal, pauseClock } = request;
    const { method = content === undefined ? "GET" : "POST" } = what;
    const to = path === undefined ? new URL(url) : new URL(`${url.replace(/\/+$/, "")}${path}`);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) to.searchParams.set(key, value);
    const init = {
      method,
      headers: content === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    };
    let left = throttleLimitMs;
    for (let failed = 1; ; failed++) {
      signal.throwIfAborted();
      const answer = await attempt(to, init, signal);
      signal.throwIfAborted();
      if (answer.response.status !== 429) return contentOf(answer, path !== undefined);
      const now = SYSTEM_CLOCK.now();
      const asked = retryAfterMs(answer.response.headers.get("retry-after"), now) ?? backoffMs(PAUSES, failed);
      const pause = Math.max(SHORTEST_PAUSE_MS, asked);
      if (pause > left) {
        const wait = `it asks to wait ${Math.ceil(pause)} ms, and ${Math.floor(left)} ms are left`;
        throw fail("throttled", `it answers 429: ${textOf(answer.body.bytes, secrets)} (${wait})`);
      }
      left -= pause;
      const resume = pauseClock();
      try {
        await SYSTEM_CLOCK.pause(pause, signal);
      } finally {
        resume();
      }
    }
  };
  return {
    post: async (body, request) => await sendRequest({ body }, request),
    send: sendRequest,
    withoutSecrets: (text) => without(text, secrets),
    hide: (secret) => void (secret !== "" && secrets.add(secret)),
    key,
  };
}

interface Answer {
  readonly response: Response;
  readonly body: Awaited<ReturnType<typeof readResponseBody>>;
}

/** The kinds of HTTP statuses; others from 500 are the vendor's fault, others from 300 refuse the request. */
const STATUSES: ReadonlyMap<number, ConnectionFailure> = new Map([
  [401, "key"],
  [402, "payment"],
  [403, "key"],
  [404, "unknown-agent"],
  [408, "silence"],
  [410, "unknown-agent"],
  [504, "silence"],
]);

function refusal(
  status: number,
  text: string,
  fail: (kind: ConnectionFailure, state: string) => ConnectionError,
): ConnectionError {
  const kind = STATUSES.get(status) ?? (status >= 500 ? "vendor" : "refused");
  return fail(kind, `it answers ${status}${text === "" ? "" : `: ${text}`}`);
}

function keyOf({ keyVariable, env = environment }: EndpointOptions): string | undefined {
  if (keyVariable === undefined) return undefined;
  const key = env[keyVariable]?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ScenarioError(
    `Cannot connect: the environment variable ${keyVariable} ${key === "" ? "is not set" : "has blanks or unusual characters"}`,
    {
      code: "missing-key-variable",
      path: ["keyVariable"],
      hint: `Set ${keyVariable} to the key of the agent's server`,
    },
  );
}

function keyHeader(
  { keyHeader: header }: EndpointOptions,
  key: string | undefined,
): { readonly [name: string]: string } {
  if (key === undefined) return {};
  return header === undefined ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key };
}

function without(text: string, secrets: ReadonlySet<string>): string {
  // the longest first: one may be a part of another
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, "[key]"), text);
}

/** A cause that does not quote a secret: runtimes quote headers and bodies. */
function causeOf(cause: unknown, secrets: ReadonlySet<string>): unknown {
  if (!(cause instanceof Error)) return cause;
  const { message, stack = "" } = cause;
  const quotes = [...secrets].some((secret) => message.includes(secret) || stack.includes(secret));
  return quotes ? new Error(without(message, secrets)) : cause;
}

/** Codes of connections that were closed after the request was sent. */
const CUT = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ConnectionClosed"]);

function isCut(cause: unknown): boolean {
  const codes = [cause, cause instanceof Error ? cause.cause : undefined].map((each) =>
    isRecord(each) && typeof each.code === "string" ? each.code : "",
  );
  return codes.some((code) => CUT.has(code));
}

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "no reason is given";
  const { cause: inner } = cause;
  return inner instanceof Error && inner.message !== "" ? inner.message : cause.message;
}

/** The beginning of a body, on one line. The key is taken out before the text is cut: half a key is not recognized. */
function textOf(bytes: Uint8Array, secrets: ReadonlySet<string>): string {
  const text = without(new TextDecoder().decode(bytes.subarray(0, MOST_ERROR_BYTES)), secrets);
  return shorten(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), 200);
}
