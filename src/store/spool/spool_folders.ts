import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../../files/mod.ts";
import type { Location } from "../database/mod.ts";

/** Where spool files are kept when nothing else is said, from the working directory. */
const DEFAULT_SPOOL = ".callweave/spool";

/**
 * The folders of spool files: the first one that can be written is used. After the default one comes one among the
 * temporary files, as the disk of the project may be full, or not writable.
 *
 * @param spool As `openStore` takes it.
 */
export function spoolFolders({ kind }: Location, spool: string | false | undefined): readonly string[] {
  if (spool === false || kind === "memory") return [];
  return spool === undefined ? [resolve(DEFAULT_SPOOL), temporarySpool()] : [resolve(spool)];
}

/** Makes a folder for spool files, unless it is there. */
export async function makeSpoolFolder(folder: string): Promise<void> {
  if (folder !== temporarySpool()) return await makeFolder(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isOurs(folder)) throw error;
  }
}

/** Whether spool files may be read from a folder: anybody can make one among the temporary files. */
export function isTrustedSpool(folder: string): boolean {
  return folder !== temporarySpool() || isOurs(folder);
}

function temporarySpool(): string {
  return join(tmpdir(), `callweave-spool-${process.getuid?.() ?? "user"}`);
}

/** Whether it is a folder, no link, that nobody but this user can write to. */
function isOurs(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (process.getuid === undefined) return found.isDirectory(); // each user of Windows has temporary files of their own
    return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
