import * as v from "valibot";
import type { CallweaveError, ErrorCode } from "../errors.ts";
import { isRecord, retryAfterMs, shorten } from "../values/mod.ts";
import { type Body, parseBody } from "./body.ts";
import { type AnswerShape, isPlatformWrite, type PlatformConnection, type PlatformRequest } from "./request.ts";

/** Longest wait that a platform may ask for. A longer one is an error: nobody waits for it at a terminal. */
const LONGEST_WAIT_MS = 60_000;

/** A failed attempt, and how long to wait before the next one. */
export class FailedRequest extends Error {
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
export function withoutKey(text: string, key: string): string {
  return key.length < 8 ? text : text.replaceAll(key, "[key]");
}

/**
 * The content of an answer, in the shape that the request asks for.
 *
 * @throws {FailedRequest} For an error status, a redirect, and content that is not what was asked for.
 */
export function readAnswer<Shape extends AnswerShape>(
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
export function unusable({ request, connection }: Exchange, problem: string, body?: Body): CallweaveError {
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

/** The message of a platform's error: `message` is a text at Retell and a text or a list of texts at Vapi. */
function messageIn(answer: unknown): string | undefined {
  const message = isRecord(answer) ? (answer.message ?? answer.error_message ?? answer.error) : undefined;
  const words = Array.isArray(message) ? message.filter((each) => typeof each === "string").join("; ") : message;
  return typeof words === "string" && words !== "" ? words : undefined;
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
