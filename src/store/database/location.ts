import { resolve } from "node:path";
import process from "node:process";
import { StoreError } from "../../errors.ts";

/** Where results are kept when nothing else is said, from the working directory. */
export const DEFAULT_FILE = ".callweave/results.db";

/** A database, told apart by how it is reached. */
export interface Location {
  readonly kind: "memory" | "file" | "http" | "ws";
  /** As `@libsql/client` takes it. */
  readonly url: string;
  /** Absolute; of `file` only. */
  readonly file?: string;
  readonly authToken?: string;
  /** For people: without user, password and token. */
  readonly shown: string;
  /** Texts that must appear nowhere. */
  readonly secrets: readonly string[];
}

/**
 * Finds out which database is meant. Without a URL the environment says (`CALLWEAVE_DB_URL`, `CALLWEAVE_DB_TOKEN`), else
 * it is {@link DEFAULT_FILE}. The token of the environment goes with the URL of the environment only: a URL that
 * was passed may name another server.
 *
 * @throws {StoreError} `store-unavailable` for a URL that no client of libSQL understands.
 */
export function locate(url: string | undefined, authToken: string | undefined): Location {
  if (url !== undefined) return locationOf(url, authToken);
  const fromEnvironment = process.env.CALLWEAVE_DB_URL;
  if (!fromEnvironment) return locationOf(DEFAULT_FILE, undefined);
  return locationOf(fromEnvironment, authToken ?? (process.env.CALLWEAVE_DB_TOKEN || undefined));
}

/** What tells a database from all others, whichever way and with whichever token it is reached. */
export function databaseName({ file, shown, kind }: Location): string {
  if (file !== undefined || kind === "memory") return file ?? shown;
  const { host, pathname } = new URL(shown);
  return `${host}${pathname}`;
}

function locationOf(text: string, authToken: string | undefined): Location {
  // One letter before a colon is a drive of Windows, not a scheme.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (text === ":memory:" || /^file::memory:/i.test(text)) return memory(text);
  if (scheme === undefined) return fileAt(text, text);
  if (scheme === "file") return fileAt(pathOfFileUrl(text), text.replace(/\?.*$/s, ""));
  const secrets = secretsOf(text, authToken);
  const shown = text.replace(/^([^/]*\/\/)[^/?#]*@/, "$1").replace(/[?#].*$/s, "");
  const kind = { http: "http", https: "http", libsql: "http", ws: "ws", wss: "ws" } as const;
  if (!isKeyOf(kind, scheme)) throw unknownUrl(shown, `"${scheme}:" is no kind of libSQL URL`);
  // Neither client sends them, and each runtime fails at them in its own way.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) throw withUser(shown);
  if (!URL.canParse(text)) throw unknownUrl(shown, "the URL cannot be read");
  return { kind: kind[scheme], url: text, shown, secrets, ...(authToken ? { authToken } : {}) };
}

function memory(url: string): Location {
  return { kind: "memory", url, shown: ":memory:", secrets: [] };
}

function fileAt(path: string, shown: string): Location {
  if (path === "") throw unknownUrl(shown, "it names no file");
  if (path.includes("\0")) throw unknownUrl(shown.replaceAll("\0", "\ufffd"), "a file's name has no NUL"); // libSQL aborts
  const file = resolve(path);
  const encoded = file.replaceAll("\\", "/").replace(/[%?#]/g, encodeURIComponent);
  return { kind: "file", url: `file:${encoded}`, file, shown, secrets: [] };
}

/** `file:a.db`, `file:/a.db`, `file:///a.db` and `file://localhost/a.db`; `new URL` would refuse the first. */
function pathOfFileUrl(url: string): string {
  const path = url.replace(/^file:(\/\/(localhost)?(?=\/))?/i, "").replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path).replace(/^\/(?=[a-z]:[\\/])/i, "");
  } catch {
    throw unknownUrl(url, "the URL cannot be read");
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
