import { randomUUID } from "node:crypto";
import { access, chmod, chown, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../values/mod.ts";
import { findPlace, type PathTarget } from "./find_place.ts";
import { type WaitClock, writeThrough } from "./write_through.ts";

/**
 * Creates a file, such as a lock that one process holds.
 *
 * @param mode Permissions. Default: those of other files.
 * @returns `false` when the file exists.
 */
export async function createFile(path: string, text: string, mode?: number): Promise<boolean> {
  try {
    const file = await open(path, "wx", mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

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

/**
 * Creates a folder and its parents; does nothing if it exists.
 *
 * Node's recursive `mkdir` loops forever in places such as `/proc`, where folders can be looked up but not created.
 *
 * @throws The file system's error: `EEXIST` when a file is in the way.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
}
