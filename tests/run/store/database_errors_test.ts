import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelError, StoreError } from "../../../src/base/errors.ts";
import {
  closedError,
  isAway,
  isBusy,
  isRefused,
  isTooLarge,
  isUnreachable,
  isUnstorable,
  isWithoutTables,
  ShapeError,
  storeError,
  TimeoutError,
} from "../../../src/run/store/database/errors.ts";

const withCode = (code: string, message = "failed") => Object.assign(new Error(message), { code });
const withStatus = (status: number, code = "SERVER_ERROR") => Object.assign(withCode(code), { status });
/** An error as libSQL's client wraps it. */
const wrapped = (cause: unknown) => Object.assign(new Error("failed", { cause }), { code: "UNKNOWN" });

const LOCATION = { kind: "file", url: "file:calls.db", shown: "calls.db", secrets: ["s3cret"] } as const;
const nameOf = (error: unknown) =>
  error instanceof Error && "code" in error ? `${error.code}: ${error.message}` : String(error);
const messageOf = (error: unknown) => storeError("write", error, { location: LOCATION, code: "store-failed" }).message;

test("isBusy() is true for locks of other processes only", () => {
  for (const code of ["SQLITE_BUSY", "SQLITE_LOCKED", "TRANSACTION_TIMEOUT"])
    assert.equal(isBusy(withCode(code)), true);
  assert.equal(isBusy(wrapped(withCode("SQLITE_BUSY"))), true);
  assert.equal(isBusy(withCode("SQLITE_FULL")), false);
});

test("isUnreachable() is true for failed connections and for a gateway without its server", () => {
  for (const status of [429, 502, 503, 504]) assert.equal(isUnreachable(withStatus(status)), true, String(status));
  for (const code of ["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "UND_ERR_SOCKET", "ConnectionRefused"])
    assert.equal(isUnreachable(wrapped(withCode(code))), true, code);
  assert.equal(isUnreachable(new TypeError("fetch failed")), true);
  assert.equal(isUnreachable(withCode("HRANA_WEBSOCKET_ERROR")), true);
});

test("isUnreachable() is false for answers of the server and other errors", () => {
  for (const status of [400, 401, 404, 500]) assert.equal(isUnreachable(withStatus(status)), false, String(status));
  assert.equal(isUnreachable(withStatus(503, "HRANA_WEBSOCKET_ERROR")), false);
  assert.equal(isUnreachable(new TypeError("x is not a function")), false);
  assert.equal(isUnreachable(new Error("fetch failed")), false);
  assert.equal(isUnreachable(withCode("SQLITE_ERROR")), false);
  assert.equal(isUnreachable(undefined), false);
});

test("isAway() is also true for a time limit", () => {
  assert.equal(isAway(new TimeoutError("no answer within 5 ms")), true);
  assert.equal(isAway(withStatus(503)), true);
  assert.equal(isAway(withStatus(400)), false);
});

test("isRefused() is true for what a retry cannot change", () => {
  assert.equal(isRefused(new ShapeError("a text is needed")), true);
  for (const code of ["SQLITE_ERROR", "SQLITE_CONSTRAINT", "SQL_PARSE_ERROR", "AUTH_JWT_INVALID", "CLIENT_CLOSED"])
    assert.equal(isRefused(withCode(code)), true, code);
  for (const status of [400, 404, 413, 499]) assert.equal(isRefused(withStatus(status)), true, String(status));
});

test("isRefused() is false for temporary errors", () => {
  for (const code of ["SQLITE_BUSY", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "ECONNRESET"])
    assert.equal(isRefused(withCode(code)), false, code);
  for (const status of [399, 408, 425, 429, 500, 503])
    assert.equal(isRefused(withStatus(status)), false, String(status));
  assert.equal(isRefused(new Error("failed")), false);
});

test("isUnstorable() is true for one result that is rejected, and false where all of them would be", () => {
  for (const error of [withCode("SQLITE_TOOBIG"), withStatus(413), new ShapeError("a text is needed")])
    assert.equal(isUnstorable(error), true, error.message);
  for (const error of [withCode("SQLITE_CORRUPT"), withCode("AUTH_JWT_INVALID"), withStatus(404), withStatus(503)])
    assert.equal(isUnstorable(error), false, error.message);
});

test("isWithoutTables() and isTooLarge() recognize their error", () => {
  assert.equal(isWithoutTables(new Error("SQLITE_ERROR: no such table: callweave_runs")), true);
  assert.equal(isWithoutTables(new Error('no such table: "callweave_runs"')), true);
  assert.equal(isWithoutTables(new Error("no such table: orders")), false);
  assert.equal(isTooLarge(withCode("RESPONSE_TOO_LARGE")), true);
  assert.equal(isTooLarge(withCode("SQLITE_TOOBIG")), false);
});

for (const [error, state] of [
  [withCode("SQLITE_CANTOPEN"), "the file cannot be opened"],
  [withCode("SQLITE_FULL"), "the disk is full"],
  [withCode("EACCES"), "the folder cannot be created"],
  [withCode("EPERM"), "the folder cannot be created"],
  [withCode("EROFS"), "the folder cannot be created"],
  [withCode("ENOENT"), "the folder cannot be created"],
  [withCode("ENOTDIR"), "a part of its path is a file, not a folder"],
  [closedError(), "the store was closed"],
  [new Error("Unable to open connection to local database a.db: 14"), "the file cannot be opened"],
  [withStatus(401), "the server rejects the token or requires one"],
  [new Error("Unauthorized"), "the server rejects the token or requires one"],
  [
    withCode("HRANA_WEBSOCKET_ERROR", "WebSocket was closed"),
    "the server closed the connection; it may have rejected the token",
  ],
  [withCode("ECONNREFUSED"), "the server cannot be reached"],
  [withStatus(500), "the server answers with status 500"],
  [new TimeoutError("it did not answer within 5 ms"), "it did not answer within 5 ms"],
  [new Error("two\n  lines "), "two lines"],
  [new Error(" "), "it fails without a reason"],
  ["a text with s3cret", "a text with [redacted]"],
] as const)
  test(`storeError() says "${state}" of ${JSON.stringify(nameOf(error))}`, () => {
    assert.equal(messageOf(error), `Cannot write "calls.db": ${state}`);
  });

test("storeError() keeps an error of the store as it is, and no other error of Callweave", () => {
  const own = new StoreError("Cannot read", { code: "aborted", hint: "" });
  assert.equal(storeError("write", own, { location: LOCATION, code: "store-failed" }), own);
  const other = new ModelError("Cannot call", { code: "model-failed", hint: "" });
  assert.equal(messageOf(other), 'Cannot write "calls.db": Cannot call');
});

test("storeError() keeps the code of the cause, without the error that may contain the token", () => {
  const error = storeError("write", withCode("SQLITE_FULL", "full: s3cret"), {
    location: LOCATION,
    code: "store-failed",
  });
  const cause: unknown = error.cause;
  assert.ok(cause instanceof Error && "code" in cause);
  assert.deepEqual([cause.message, cause.code], ["full: [redacted]", "SQLITE_FULL"]);
});
