import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { StoreError } from "../../../base/errors.ts";

/** Device and inode of a file, as a string. */
export type FileIdentity = string;

/** Returns the identity of the file at a path, or `undefined` if it does not exist. */
export function fileIdentity(path: string | undefined): FileIdentity | undefined {
  if (path === undefined) return undefined;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Options of `openStore()` and `openRecordings()`. */
export interface OpenStoreOptions {
  /** Token for a server; `?authToken=` in the URL works too. It is never shown or stored. */
  readonly authToken?: string;
  /**
   * Limit of one call of the store in milliseconds. Results are retried until then, and spooled afterwards. Default:
   * 30,000.
   */
  readonly storeTimeoutMs?: number;
  /** Limit of a request that writes to a server, in milliseconds; it is retried after that. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Folder of spool files, for results that the database does not accept in time; `false` discards them. Default:
   * `.callweave/spool`, or a folder in the temporary directory when that is not writable; none for `:memory:`.
   */
  readonly spool?: string | false;
  /** Whether to write spool files of this database to it first. Default: true. */
  readonly recover?: boolean;
  /** Aborts opening the database. */
  readonly signal?: AbortSignal;
  /** Whether to create a database that does not exist or has no Callweave tables. Default: true. */
  readonly create?: boolean;
}

/** Default results database, relative to the working directory. */
export const DEFAULT_FILE = ".callweave/results.db";

/** Address of a results database, and the kind of client that it needs. */
export interface Location {
  readonly kind: "memory" | "file" | "http" | "ws";
  /** URL for `@libsql/client`. */
  readonly url: string;
  /** Absolute path; only for `file`. */
  readonly file?: string;
  readonly authToken?: string;
  /** Address for messages, without user, password or token. */
  readonly shown: string;
  /** Secrets in the address, for redaction. */
  readonly secrets: readonly string[];
}

/**
 * Resolves the address of a database. Without a URL it uses `CALLWEAVE_DB_URL` and `CALLWEAVE_DB_TOKEN`, else {@link
 * DEFAULT_FILE}. `CALLWEAVE_DB_TOKEN` is not sent to a URL that was passed, because it may be another server.
 *
 * @throws {StoreError} `store-unavailable` for a URL that libSQL does not support.
 */
export function locate(url: string | undefined, authToken: string | undefined): Location {
  if (url !== undefined) return locationOf(url, authToken);
  const fromEnvironment = process.env.CALLWEAVE_DB_URL;
  if (!fromEnvironment) return locationOf(DEFAULT_FILE, undefined);
  return locationOf(fromEnvironment, authToken ?? (process.env.CALLWEAVE_DB_TOKEN || undefined));
}

/**
 * Whether a database is on a server, so that several machines can use it. Without a URL: the default database.
 *
 * @throws {StoreError} `store-unavailable` for a URL that libSQL does not support.
 */
export function isServer(url: string | undefined): boolean {
  const { kind } = locate(url, undefined);
  return kind === "http" || kind === "ws";
}

/** Returns a name that identifies a database, independent of token and protocol. */
export function databaseName({ file, shown, kind }: Location): string {
  if (file !== undefined || kind === "memory") return file ?? shown;
  const { host, pathname } = new URL(shown);
  return `${host}${pathname}`;
}

function locationOf(text: string, authToken: string | undefined): Location {
  // a single letter before a colon is a Windows drive, not a scheme
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (text === ":memory:" || /^file::memory:/i.test(text)) return memory(text);
  if (scheme === undefined) return fileAt(text, text);
  if (scheme === "file") return fileAt(pathOfFileUrl(text), text.replace(/\?.*$/s, ""));
  const secrets = secretsOf(text, authToken);
  const shown = text.replace(/^([^/]*\/\/)[^/?#]*@/, "$1").replace(/[?#].*$/s, "");
  const kind = { http: "http", https: "http", libsql: "http", ws: "ws", wss: "ws" } as const;
  if (!isKeyOf(kind, scheme)) throw unknownUrl(shown, `"${scheme}:" is not a libSQL scheme`);
  // neither client sends them, and each runtime fails differently
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) throw withUser(shown);
  if (!URL.canParse(text)) throw unknownUrl(shown, "the URL cannot be parsed");
  return { kind: kind[scheme], url: text, shown, secrets, ...(authToken ? { authToken } : {}) };
}

function memory(url: string): Location {
  return { kind: "memory", url, shown: ":memory:", secrets: [] };
}

function fileAt(path: string, shown: string): Location {
  if (path === "") throw unknownUrl(shown, "the path is empty");
  if (path.includes("\0")) throw unknownUrl(shown.replaceAll("\0", "\ufffd"), "the path contains a NUL character"); // libSQL would abort the process
  const file = resolve(path);
  const encoded = file.replaceAll("\\", "/").replace(/[%?#]/g, encodeURIComponent);
  return { kind: "file", url: `file:${encoded}`, file, shown, secrets: [] };
}

/**
 * Returns the path of `file:a.db`, `file:/a.db`, `file:///a.db` or `file://localhost/a.db`. `new URL` rejects the
 * first.
 */
function pathOfFileUrl(url: string): string {
  const path = url.replace(/^file:(\/\/(localhost)?(?=\/))?/i, "").replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path).replace(/^\/(?=[a-z]:[\\/])/i, "");
  } catch {
    throw unknownUrl(url, "the URL cannot be parsed");
  }
}

function secretsOf(url: string, authToken: string | undefined): readonly string[] {
  const inUrl = /[?&]authToken=([^&#]*)/.exec(url)?.[1];
  const tokens = [authToken, inUrl].flatMap((token) => (token ? [token, decoded(token)] : []));
  return [...new Set(tokens)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownUrl(shown: string, state: string): StoreError {
  return new StoreError(`Cannot open results database "${shown}": ${state}`, {
    code: "store-unavailable",
    hint: "Pass a path, or a URL that begins with file:, libsql:, https:, http:, wss: or ws:",
  });
}

function withUser(shown: string): StoreError {
  return new StoreError(`Cannot open results database "${shown}": its URL has a user or password in it`, {
    code: "store-unavailable",
    hint: "Remove them from the URL and pass a token with CALLWEAVE_DB_TOKEN",
  });
}

function isKeyOf<Keys extends object>(record: Keys, key: PropertyKey): key is keyof Keys {
  return Object.hasOwn(record, key);
}
