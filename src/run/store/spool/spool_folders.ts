import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../../../base/files/mod.ts";
import type { Location } from "../database/mod.ts";

/** Default folder of spool files, relative to the working directory. */
const DEFAULT_SPOOL = ".callweave/spool";

/**
 * Returns the folders for spool files; the first writable one is used. The default folder is followed by one in the
 * temporary directory, because the project's disk may be full or read-only.
 *
 * @param spool The option of `openStore()`.
 */
export function spoolFolders({ kind }: Location, spool: string | false | undefined): readonly string[] {
  if (spool === false || kind === "memory") return [];
  return spool === undefined ? [resolve(DEFAULT_SPOOL), temporarySpool()] : [resolve(spool)];
}

/** Creates a folder for spool files if it does not exist. */
export async function makeSpoolFolder(folder: string): Promise<void> {
  if (folder !== temporarySpool()) return await makeFolder(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isOurs(folder)) throw error;
  }
}

/** Whether spool files may be read from a folder. In the temporary directory, other users may create folders too. */
export function isTrustedSpool(folder: string): boolean {
  return folder !== temporarySpool() || isOurs(folder);
}

function temporarySpool(): string {
  return join(tmpdir(), `callweave-spool-${process.getuid?.() ?? "user"}`);
}

/** Whether the path is a real folder that only this user can write to. */
function isOurs(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (process.getuid === undefined) return found.isDirectory(); // Windows has a temporary directory per user
    return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
