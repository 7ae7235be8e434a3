import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { usage } from "../arguments/mod.ts";

/** A file that a command reads or writes. */
export interface UsedFile {
  /** For the message: "the results database". */
  readonly what: string;
  /** A path or a URL; URLs of servers are not files. */
  readonly path: string | undefined;
}

/**
 * Refuses an output that would overwrite a file that the same command uses.
 *
 * @param flag The output's flag, for the message: "--junit".
 * @throws {UsageError} `usage`.
 */
export function refuseOverwriting(flag: string, output: string | undefined, used: readonly UsedFile[]): void {
  const target = fileOf(output);
  if (target === undefined) return;
  const same = used.find(({ path }) => fileOf(path) === target);
  if (same) throw usage(`${flag} would overwrite ${same.what}, "${same.path}"`, `Name another file for ${flag}`);
}

/** The file behind a path, links resolved; `undefined` if it is no file, such as `-` or a server's URL. */
function fileOf(path: string | undefined): string | undefined {
  if (path === undefined || path === "-" || path === ":memory:") return undefined;
  try {
    const plain = path.startsWith("file://") ? fileURLToPath(path) : path.replace(/^file:/, "");
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(plain)) return undefined;
    return realPath(resolve(plain));
  } catch {
    return undefined; // opening it reports the problem
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet
  }
}
