import { isCallweaveError, StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";

/** Statuses of answers with an error. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

const STATUSES: { readonly [code: string]: ErrorStatus } = {
  "invalid-request": 400,
  "invalid-option": 400,
  usage: 400,
  "not-signed-in": 401,
  "not-allowed": 403,
  "other-origin": 403,
  "unknown-route": 404,
  "unknown-run": 404,
  "unknown-call": 404,
  "unknown-agent": 404,
  "unknown-chat": 404,
  "unknown-environment": 404,
  "unknown-label": 404,
  "unknown-proposal": 404,
  "unknown-trial": 404,
  "unknown-recording": 404,
  "unknown-baseline": 404,
  "unknown-target": 404,
  "unknown-snapshot": 404,
  "unknown-scenario": 404,
  "unknown-method": 405,
  "run-not-here": 409,
  "nothing-to-undo": 409,
  "plan-outdated": 409,
  "deploy-conflict": 409,
  "apply-running": 409,
  "proposal-conflict": 409,
  "call-busy": 409,
  "call-ended": 409,
  "too-large": 413,
  "too-many": 429,
  "connection-failed": 502,
  "platform-answer": 502,
  "platform-refused": 502,
  "platform-unreachable": 502,
  "model-failed": 502,
  "store-unavailable": 503,
  "store-failed": 503,
};

/** The body of an answer with an error, and its status. Nothing of an unexpected error is told. */
export function errorAnswer(error: unknown): {
  readonly status: ErrorStatus;
  readonly body: {
    readonly error: { code: string; message: string; path: (string | number)[]; hint: string };
  };
} {
  if (!isCallweaveError(error)) {
    const message = "Cannot answer: the server failed";
    const hint = "Look at the server's output";
    return { status: 500, body: { error: { code: "internal", message, path: [], hint } } };
  }
  const { code, message, path, hint } = error;
  const redacted = createRedactor().value({ code, message, path: [...path], hint });
  return { status: STATUSES[code] ?? 422, body: { error: redacted } };
}

/** The error of a thing that a path names and nobody knows. */
export function unknownThing(
  what: "agent" | "call" | "chat" | "environment" | "label" | "recording" | "route" | "scenario" | "trial",
  name: string,
  hint: string,
): StudioError {
  return new StudioError(`Cannot find ${what} "${name.slice(0, 200)}"`, { code: `unknown-${what}`, hint });
}
