import { type ErrorCode, isCallweaveError, StoreError } from "../../errors.ts";
import { isRecord } from "../../values/mod.ts";
import type { Location } from "./location.ts";

/** Thrown inside the store where a limit of time has passed. */
export class TimeoutError extends Error {}

/** Thrown inside the store for what does not have the shape of its type, in the database or on the way to it. */
export class ShapeError extends Error {}

/** State and hint for a failure of libSQL's client, `fetch` or the file system. */
interface Failure {
  readonly state: string;
  readonly hint: string;
}

const CHECK_SERVER = "Check the URL and that the server is running";
const CHECK_TOKEN = "Set CALLWEAVE_DB_TOKEN to a token that the server accepts";
const CHECK_FILE = "Check that the folder can be written to, or choose another file with CALLWEAVE_DB_URL";

const CANNOT_OPEN: Failure = { state: "the file cannot be opened", hint: CHECK_FILE };

/** Code of the plain error that says that the store was closed; libSQL's file client uses it too. */
const CLOSED = "CLIENT_CLOSED";

const BY_CODE: ReadonlyMap<string, Failure> = new Map([
  ["SQLITE_CANTOPEN", CANNOT_OPEN],
  ["SQLITE_READONLY", { state: "the file cannot be written", hint: CHECK_FILE }],
  ["SQLITE_PERM", { state: "the file cannot be written", hint: CHECK_FILE }],
  ["SQLITE_IOERR", { state: "the file cannot be read or written", hint: CHECK_FILE }],
  ["SQLITE_FULL", { state: "the disk is full", hint: "Free some space, or choose another file with CALLWEAVE_DB_URL" }],
  ["SQLITE_NOTADB", { state: "the file is not a database", hint: "Move the file away, or choose another one" }],
  ["SQLITE_CORRUPT", { state: "the file is damaged", hint: "Move the file away, or restore it from a copy" }],
  ["SQLITE_BUSY", { state: "another process has locked it", hint: "Try again when the other process is done" }],
  ["SQLITE_LOCKED", { state: "another process has locked it", hint: "Try again when the other process is done" }],
  ["EACCES", { state: "the folder cannot be created", hint: CHECK_FILE }],
  ["EPERM", { state: "the folder cannot be created", hint: CHECK_FILE }],
  ["EROFS", { state: "the folder cannot be created", hint: CHECK_FILE }],
  ["ENOENT", { state: "the folder cannot be created", hint: CHECK_FILE }], // as in /proc
  ["ENOTDIR", { state: "a part of its path is a file, not a folder", hint: "Choose another file" }],
  ["EEXIST", { state: "a part of its path is a file, not a folder", hint: "Choose another file" }],
  ["ERR_MODULE_NOT_FOUND", { state: "@libsql/client is not installed", hint: "Run npm install" }],
  [CLOSED, { state: "the store was closed", hint: "Close the store after the last call" }],
]);

/** Whether another process was in the way, so that trying again soon is right. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === "SQLITE_BUSY" || code === "SQLITE_LOCKED" || code === "TRANSACTION_TIMEOUT";
}

/** Whether the way to a server failed, not the server's answer. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "HRANA_WEBSOCKET_ERROR" || code === "HRANA_CLOSED_ERROR") return statusOf(error) === undefined;
  const status = statusOf(error);
  if (status !== undefined) return status === 429 || status === 502 || status === 503 || status === 504;
  // What fetch throws when there is no answer: TypeError in Node and Deno, Error with a code in Bun.
  return (
    (error instanceof TypeError && /fetch|network|sending request|connect/i.test(error.message)) ||
    /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|UND_ERR|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)/.test(
      code ?? "",
    )
  );
}

/** Whether no answer came, so that nobody knows whether the work was done. */
export function isAway(error: unknown): boolean {
  return error instanceof TimeoutError || isUnreachable(error);
}

/** Codes of SQLite that another try can end: the disk may have room again, the file may be back. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT|PROTOCOL|UNKNOWN)/;

/** Whether the database looked at the statements and refused them, so that trying again does not help. */
export function isRefused(error: unknown): boolean {
  if (error instanceof ShapeError) return true;
  const code = codeOf(error) ?? "";
  if (code.startsWith("SQLITE_")) return !PASSING.test(code);
  if (/^(SQL_|AUTH|CLIENT_CLOSED)/.test(code)) return true;
  const status = statusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/** Whether the database is well and refuses this one result, because it is too large for instance. */
export function isUnstorable(error: unknown): boolean {
  if (/^(AUTH|SQLITE_(AUTH|NOTADB|CORRUPT))/.test(codeOf(error) ?? "")) return false;
  const status = statusOf(error) ?? 0;
  return isRefused(error) && (status === 0 || status === 413);
}

/** Whether the tables are gone: the file was replaced by an empty one, or the server lost its data. */
export function isWithoutTables(error: unknown): boolean {
  return error instanceof Error && /no such table: "?callweave_/i.test(error.message);
}

/** Whether the server sent more than it is willing to in one answer. */
export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === "RESPONSE_TOO_LARGE";
}

/** The error of Callweave for whatever went wrong, without anything secret in it or in its cause. */
export function storeError(
  action: string,
  error: unknown,
  { location, code }: { readonly location: Location; readonly code: ErrorCode },
): StoreError {
  if (isCallweaveError(error) && error instanceof StoreError) return error;
  const message = redact(error instanceof Error ? error.message : String(error), location);
  const { state, hint } = failureOf(error, message);
  return new StoreError(`Cannot ${action} "${location.shown}": ${state}`, {
    code,
    hint,
    // Not the error itself: the requests and URLs that clients attach to theirs hold the token.
    cause: Object.assign(new Error(message), { code: codeOf(error) }),
  });
}

/** The plain error for work on a store that was closed. */
export function closedError(): Error {
  return Object.assign(new Error("the store was closed"), { code: CLOSED });
}

/** The error for work whose signal was aborted. */
export function abortedError(action: string, { shown }: Location, cause: unknown): StoreError {
  return new StoreError(`Cannot ${action} "${shown}": it was aborted`, {
    code: "aborted",
    hint: "Abort the signal only after the store has answered",
    cause,
  });
}

function failureOf(error: unknown, message: string): Failure {
  if (error instanceof TimeoutError) return { state: message, hint: CHECK_SERVER };
  if (error instanceof ShapeError) return { state: message, hint: "Store values of the types NewRun and NewResult" };
  const status = statusOf(error);
  const code = codeOf(error) ?? "";
  if (status === 401 || status === 403 || /^AUTH|unauthori[sz]ed|\b40[13]\b/i.test(`${code} ${message}`)) {
    return { state: "the server does not accept the token, or asks for one", hint: CHECK_TOKEN };
  }
  // The file client's own error for this has no code.
  if (message.includes("Unable to open connection to local database")) return CANNOT_OPEN;
  // A WebSocket of Node does not pass on why the server closed it.
  if (code === "HRANA_WEBSOCKET_ERROR" && message.includes("was closed")) {
    return { state: "the server ended the connection; maybe it does not accept the token", hint: CHECK_TOKEN };
  }
  const known = BY_CODE.get(code);
  if (known) return known;
  if (isUnreachable(error)) return { state: "the server cannot be reached", hint: CHECK_SERVER };
  if (status !== undefined) return { state: `the server answers with status ${status}`, hint: CHECK_SERVER };
  return {
    state: message.replace(/\s+/g, " ").trim() || "it fails without a reason",
    hint: "Check that the database was created by Callweave, or choose another one with CALLWEAVE_DB_URL",
  };
}

function redact(text: string, { secrets }: Location): string {
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "[redacted]"), text);
}

/** The first code that an error or one of its causes has, apart from our own. Limited, as a chain of causes can be a ring. */
function codeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && isRecord(current); depth++) {
    const { code } = current;
    if (typeof code === "string" && !["SERVER_ERROR", "UNKNOWN"].includes(code) && !isCallweaveError(current))
      return code;
    current = current.cause;
  }
  return undefined;
}

function statusOf(error: unknown): number | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && isRecord(current); depth++) {
    if (typeof current.status === "number") return current.status;
    current = current.cause;
  }
  return undefined;
}
