import { CallweaveError, type ErrorDetails } from "../../base/errors.ts";

/**
 * Why a call with an agent failed:
 *
 * - `key`: its server rejects the key.
 * - `unknown-agent`: it has no such agent or version.
 * - `payment`: the account has no credit.
 * - `throttled`: it refused requests for longer than the limit.
 * - `vendor`: it failed, or its answer cannot be used.
 * - `unreachable`: nothing answers at its address.
 * - `silence`: it did not answer in time.
 * - `ended-early`: the connection broke in the middle of the call.
 * - `refused`: it does not accept the request.
 * - `agent`: the function or agent of `connect.custom()` threw.
 */
export type ConnectionFailure =
  | "key"
  | "unknown-agent"
  | "payment"
  | "throttled"
  | "vendor"
  | "unreachable"
  | "silence"
  | "ended-early"
  | "refused"
  | "agent";

/** Hints for failures. */
const HINTS: { readonly [Kind in ConnectionFailure]: string } = {
  key: "Check the key, and that it may use this agent",
  "unknown-agent": "Check the URL, and the id and version of the agent",
  payment: "Check the credit of the account",
  throttled: "Lower limits.concurrency, or raise throttleLimitMs of the connection",
  vendor: "Try again; if it stays, look into the logs of the agent's server",
  unreachable: "Check the URL, and that the agent's server is running",
  silence: "Try again, or raise limits.turnTimeoutMs",
  "ended-early": "Try again; if it stays, look into the logs of the agent's server",
  refused: "Check the options of the connection",
  agent: "Fix the function that answers, or the agent behind it",
};

/** Failures that every other call of a run would have, too. */
const LASTING: readonly ConnectionFailure[] = ["key", "unknown-agent", "payment"];

/** An agent could not be talked to. Its call ends with the status `error`, which says nothing about the agent. */
export class ConnectionError extends CallweaveError {
  readonly kind: ConnectionFailure;

  constructor(
    message: string,
    { kind, ...details }: { readonly kind: ConnectionFailure } & Partial<Pick<ErrorDetails, "hint" | "cause" | "path">>,
  ) {
    super(message, { code: "connection-failed", hint: HINTS[kind], ...details });
    this.kind = kind;
  }
}

/** Whether an error is one that every other call of the run would have, too. */
export function isLastingFailure(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && LASTING.includes(error.kind);
}

/** The error of a call that failed: `Cannot talk to "desk" (throttled): …`. */
export function connectionFailure(
  name: string,
  kind: ConnectionFailure,
  state: string,
  details: { readonly hint?: string; readonly cause?: unknown } = {},
): ConnectionError {
  return new ConnectionError(`Cannot talk to "${name}" (${kind}): ${state}`, { kind, ...details });
}
