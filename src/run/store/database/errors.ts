import { type ErrorCode, isCallweaveError, StoreError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import type { Location } from "./location.ts";

/** Thrown inside the store when a time limit has passed. */
export class TimeoutError extends Error {}

/** Thrown inside the store when a value does not match its type, before writing or after reading. */
export class ShapeError extends Error {}

/** State and hint for an error of libSQL's client, `fetch` or the file system. */
interface Failure {
  readonly state: string;
  readonly hint: string;
}

const CHECK_SERVER = "Check the URL and that the server is running";
const CHECK_TOKEN = "Set CALLWEAVE_DB_TOKEN to a token that the server accepts";
const CHECK_FILE = "Check that the folder can be written to, or choose another file with CALLWEAVE_DB_URL";

const CANNOT_OPEN: Failure = { state: "the file cannot be opened", hint: CHECK_FILE };

/** Code of the error for operations on a closed store; libSQL's file client uses the same. */
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

/** Whether another process holds a lock, so that a retry may succeed soon. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === "SQLITE_BUSY" || code === "SQLITE_LOCKED" || code === "TRANSACTION_TIMEOUT";
}

/** Whether the connection to a server failed, as opposed to an error response. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "HRANA_WEBSOCKET_ERROR" || code === "HRANA_CLOSED_ERROR") return statusOf(error) === undefined;
  const status = statusOf(error);
  if (status !== undefined) return status === 429 || status === 502 || status === 503 || status === 504;
  // fetch without a response throws TypeError in Node and Deno, Error with a code in Bun
  return (
    (error instanceof TypeError && /fetch|network|sending request|connect/i.test(error.message)) ||
    /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|UND_ERR|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)/.test(
      code ?? "",
    )
  );
}

/** Whether no answer arrived, so that the operation may or may not have run. */
export function isAway(error: unknown): boolean {
  return error instanceof TimeoutError || isUnreachable(error);
}

/** SQLite codes of temporary errors: the disk may get free space, the file may be restored. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT|PROTOCOL|UNKNOWN)/;

/** Whether the database rejected the statements, so that a retry does not help. */
export function isRefused(error: unknown): boolean {
  if (error instanceof ShapeError) return true;
  const code = codeOf(error) ?? "";
  if (code.startsWith("SQLITE_")) return !PASSING.test(code);
  if (/^(SQL_|AUTH|CLIENT_CLOSED)/.test(code)) return true;
  const status = statusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/** Whether the database works but rejects this one result, for example because it is too large. */
export function isUnstorable(error: unknown): boolean {
  if (/^(AUTH|SQLITE_(AUTH|NOTADB|CORRUPT))/.test(codeOf(error) ?? "")) return false;
  const status = statusOf(error) ?? 0;
  return isRefused(error) && (status === 0 || status === 413);
}

/** Whether the tables are missing: the file was replaced by an empty one, or the server lost its data. */
export function isWithoutTables(error: unknown): boolean {
  return error instanceof Error && /no such table: "?callweave_/i.test(error.message);
}

/** Whether the server rejects a response as too large. */
export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === "RESPONSE_TOO_LARGE";
}

/** Creates the `StoreError` for any failure. Message and cause contain no secrets. */
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
    path: [location.shown],
    hint,
    // not the error itself: clients attach requests and URLs that contain the token
    cause: Object.assign(new Error(message), { code: codeOf(error) }),
  });
}

/** Creates the error for operations on a closed store. */
export function closedError(): Error {
  return Object.assign(new Error("the store was closed"), { code: CLOSED });
}

/** Creates the error for an operation whose signal was aborted. */
export function abortedError(action: string, { shown }: Location, cause: unknown): StoreError {
  return new StoreError(`Cannot ${action} "${shown}": it was aborted`, {
    code: "aborted",
    hint: "Call it again without the aborted signal",
    cause,
  });
}

function failureOf(error: unknown, message: string): Failure {
  if (error instanceof TimeoutError) return { state: message, hint: CHECK_SERVER };
  if (error instanceof ShapeError) return { state: message, hint: "Store values of the types NewRun and NewResult" };
  const status = statusOf(error);
  const code = codeOf(error) ?? "";
  if (status === 401 || status === 403 || /^AUTH|unauthori[sz]ed|\b40[13]\b/i.test(`${code} ${message}`)) {
    return { state: "the server rejects the token or requires one", hint: CHECK_TOKEN };
  }
  // the file client's error for this has no code
  if (message.includes("Unable to open connection to local database")) return CANNOT_OPEN;
  // Node's WebSocket does not report why the server closed it
  if (code === "HRANA_WEBSOCKET_ERROR" && message.includes("was closed")) {
    return { state: "the server closed the connection; it may have rejected the token", hint: CHECK_TOKEN };
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

/**
 * Returns the first code of an error or its causes, except Callweave's own. The depth is limited because causes can be
 * circular.
 */
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
