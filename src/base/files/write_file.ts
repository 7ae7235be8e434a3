import { randomUUID } from "node:crypto";
import { access, chmod, chown, constants, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findPlace, type PathTarget } from "./find_place.ts";
import { makeFolder } from "./make_folder.ts";
import type { WaitClock } from "./wait_clock.ts";
import { writeThrough } from "./write_through.ts";

/** How a file is written. */
export interface WriteFileOptions {
  /** Permissions of a new file. Default: `0o666` minus the process's umask. */
  readonly mode?: number;
  /** Maximum wait for a FIFO, socket or device, in milliseconds. Default: 30,000. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Clock of the wait for a FIFO or device. Default: the machine's. */
  readonly clock?: WaitClock;
  /** Called just before a regular file is replaced. If it throws, the file stays unchanged. */
  readonly confirm?: () => Promise<void>;
}

/** A text, written as UTF-8, or bytes. */
type Content = string | Uint8Array;

type FilePlace = Extract<PathTarget, { kind: "file" }>;

/**
 * Writes a text or bytes. A regular file is replaced atomically and keeps its permissions, symbolic links are followed, and
 * missing folders are created. Devices, FIFOs, sockets and `/dev/stdout` are written to directly.
 *
 * @throws The file system's error; `ENXIO` when nothing reads from a FIFO, `ETIMEDOUT` when its reader stops reading.
 */
export async function writeFileTo(path: string, content: Content, options: WriteFileOptions = {}): Promise<void> {
  const place = await findPlace(path);
  if (place.kind === "file") await replaceFile(place, content, options);
  else await writeThrough(place, content, options);
}

/**
 * Checks that {@link writeFileTo} would succeed: creates missing folders, and creates and removes a file next to the
 * target. FIFOs and devices are not opened, because their readers would notice.
 *
 * @throws The file system's error.
 */
export async function checkWritable(path: string): Promise<void> {
  const place = await findPlace(path);
  if (place.kind === "descriptor") return;
  if (place.kind !== "file") return await access(place.path, constants.W_OK);
  await rm(await createBeside(place, ""));
}

async function replaceFile(place: FilePlace, content: Content, { mode, confirm }: WriteFileOptions): Promise<void> {
  const unfinished = await createBeside(place, content, mode);
  try {
    await confirm?.();
    await rename(unfinished, place.path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Creates a file in the target's folder, and therefore on the same file system, with the target's permissions. */
async function createBeside({ path, existing }: FilePlace, content: Content, mode = 0o666): Promise<string> {
  if (existing) await access(path, constants.W_OK); // never replace a read-only file
  await makeFolder(dirname(path));
  const unfinished = join(dirname(path), `.${randomUUID()}.tmp`);
  const file = await open(unfinished, "wx", existing ? 0o600 : mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
  await file.close();
  if (existing) {
    // only root may change the owner; for other users the new file is their own
    await chown(unfinished, existing.uid, existing.gid).catch(() => undefined);
    await chmod(unfinished, existing.mode);
  }
  return unfinished;
}
