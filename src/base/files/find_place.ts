import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../values/mod.ts";

/** Target of a path, after resolving links. */
export type PathTarget =
  /** A regular file, or a path where nothing exists yet. */
  | { readonly kind: "file"; readonly path: string; readonly existing?: ExistingFile }
  /** A descriptor of this process, such as `/dev/stdout`. */
  | { readonly kind: "descriptor"; readonly descriptor: number }
  | { readonly kind: "socket"; readonly path: string }
  /** A device or a FIFO. */
  | { readonly kind: "stream"; readonly path: string };

/** Properties to keep when a file is rewritten. */
export interface ExistingFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Maximum number of links, as on Linux. */
const MOST_LINKS = 40;

/**
 * Resolves symbolic links, including links to missing targets.
 *
 * @throws The file system's error: `EISDIR` for a folder, `ELOOP` for a loop of links.
 */
export async function findPlace(path: string): Promise<PathTarget> {
  let current = resolve(path);
  for (let links = 0; links <= MOST_LINKS; links++) {
    const descriptor = descriptorOf(current);
    if (descriptor !== undefined) return { kind: "descriptor", descriptor };
    const stats = await lstat(current).catch(absent);
    if (!stats) return { kind: "file", path: current };
    if (stats.isSymbolicLink()) {
      const target = await readlink(current);
      // ".." in a link is relative to the real folder of the link
      current = resolve(await realpath(dirname(current)), target);
      continue;
    }
    if (stats.isDirectory()) throw fileError("EISDIR", "it is a folder");
    if (stats.isSocket()) return { kind: "socket", path: current };
    if (!stats.isFile()) return { kind: "stream", path: current };
    const { mode, uid, gid } = stats;
    return { kind: "file", path: current, existing: { mode: mode & 0o7777, uid, gid } };
  }
  throw fileError("ELOOP", "its symbolic links form a loop");
}

/** Creates an error with a file system code. */
export function fileError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Resolves links in a path, so that two paths to the same file are equal. Missing folders are kept. */
export async function canonicalPath(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

function descriptorOf(path: string): number | undefined {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns `undefined` for the error of a missing file, and throws others. */
export function absent(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw error;
}
