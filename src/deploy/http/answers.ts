import { DeployError } from "../../errors.ts";
import { isRecord, parsedJson, retryAfterMs } from "../../values/mod.ts";

const LONGEST_WAIT_MS = 60_000;

/** A failed attempt, and how long to wait before the next one. */
export class FailedRequest extends Error {
  readonly reason: DeployError;
  /** Absent: there was no response. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(reason: DeployError, status?: number, retryAfterMs?: number) {
    super(reason.message);
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Context for reading a response. */
export interface AnswerContext {
  readonly about: string;
  readonly key: string;
  readonly nowMs: number;
}

/** Redacts the key in a text. Keys of a few letters, as tests use, also occur in ordinary words. */
export function withoutKey(text: string, key: string): string {
  return key.length < 8 ? text : text.replaceAll(key, "[key]");
}

/**
 * The body of a response; `undefined` for an empty one.
 *
 * @throws {FailedRequest} For an error status, a redirect, or a body that is not JSON.
 */
export function readAnswer(response: Response, text: string, { about, key, nowMs }: AnswerContext): unknown {
  const { status } = response;
  // the key must not be sent to another address
  if (status >= 300 && status < 400) {
    const to = withoutKey(response.headers.get("location") ?? "another address", key);
    throw new FailedRequest(
      refusal(`${about}: the platform redirects to ${to}`, "Set the base URL to where the API is"),
      status,
    );
  }
  const isEmpty = text.trim() === "";
  const body = isEmpty ? undefined : parsedJson(text);
  if (!response.ok) {
    const asked = retryAfterMs(response.headers.get("retry-after"), nowMs);
    const wait = asked && Math.min(asked, LONGEST_WAIT_MS);
    throw new FailedRequest(refused(status, withoutKey(messageOf(body, text), key), about), status, wait);
  }
  if (isEmpty || body !== undefined) return body;
  const what = refusal(`${about}: the answer is not JSON: ${withoutKey(beginning(text), key)}`, "Check the base URL");
  throw new FailedRequest(what, status);
}

/** The message in a platform's response: `message` is a text at Retell and a text or a list of texts at Vapi. */
function messageOf(answer: unknown, text: string): string {
  const message = isRecord(answer) ? (answer.message ?? answer.error_message ?? answer.error) : undefined;
  const words = Array.isArray(message) ? message.join("; ") : message;
  return typeof words === "string" && words !== "" ? words : beginning(text) || "no message";
}

function beginning(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

function refused(status: number, message: string, about: string): DeployError {
  const said = `${about}: the platform answers ${status}: ${message}`;
  if (status === 401 || status === 403)
    return new DeployError(said, { code: "platform-key", hint: "Set the key of the workspace that the agent is in" });
  if (status === 404)
    return new DeployError(said, { code: "platform-missing", hint: "Plan again: it was deleted on the platform" });
  if (status === 429 || status >= 500) return refusal(said, "Wait and apply again: what was done is kept");
  return refusal(said, "Change what the message names");
}

function refusal(message: string, hint: string): DeployError {
  return new DeployError(message, { code: "platform-refused", hint });
}
