import { randomUUID } from "node:crypto";
import { access, chmod, chown, constants, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findPlace, type Place } from "./find_place.ts";
import { makeFolder } from "./make_folder.ts";
import { writeThrough } from "./write_through.ts";

/** How a file is written. */
export interface WriteOptions {
  /** Permissions of a file that does not exist yet. Default: what the process's umask leaves of `0o666`. */
  readonly mode?: number;
  /** How long a FIFO, socket or device may keep the writer waiting, in milliseconds. Default: 30,000. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Called at the last moment before a regular file is replaced; what it throws leaves the file as it was. */
  readonly confirm?: () => Promise<void>;
}

type FilePlace = Extract<Place, { kind: "file" }>;

/**
 * Writes a text. A regular file is replaced atomically and keeps its permissions; symbolic links are followed and stay;
 * missing folders are made. Anything else (device, FIFO, socket, `/dev/stdout`) is written to and stays what it is.
 *
 * @throws The file system's error; `ENXIO` when nobody reads from a FIFO, `ETIMEDOUT` when its reader stops reading.
 */
export async function writeFileTo(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  const place = await findPlace(path);
  if (place.kind === "file") await replaceFile(place, text, options);
  else await writeThrough(place, text, options);
}

/**
 * Checks that {@link writeFileTo} could write: folders are made, and a file is created beside the target and removed. A
 * FIFO or device is not opened, since its reader would see that.
 *
 * @throws The file system's error.
 */
export async function checkWritable(path: string): Promise<void> {
  const place = await findPlace(path);
  if (place.kind === "descriptor") return;
  if (place.kind !== "file") return await access(place.path, constants.W_OK);
  await rm(await createBeside(place, ""));
}

async function replaceFile(place: FilePlace, text: string, { mode, confirm }: WriteOptions): Promise<void> {
  const unfinished = await createBeside(place, text, mode);
  try {
    await confirm?.();
    await rename(unfinished, place.path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A new file in the same folder, and so in the same file system, with the text and the permissions of the target. */
async function createBeside({ path, existing }: FilePlace, text: string, mode = 0o666): Promise<string> {
  if (existing) await access(path, constants.W_OK); // a file that is read-only stays as it is
  await makeFolder(dirname(path));
  const unfinished = join(dirname(path), `.${randomUUID()}.tmp`);
  const file = await open(unfinished, "wx", existing ? 0o600 : mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
  await file.close();
  if (existing) {
    // only root can give a file away; for everybody else the new file is their own
    await chown(unfinished, existing.uid, existing.gid).catch(() => undefined);
    await chmod(unfinished, existing.mode);
  }
  return unfinished;
}
