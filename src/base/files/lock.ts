import { randomUUID } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { canonicalPath, fileError, findPlace } from "./find_place.ts";
import { createFile, makeFolder } from "./write_file.ts";
import { MONOTONIC, type WaitClock } from "./write_through.ts";

/** Options of {@link withLock}. */
export interface LockOptions {
  /** Time limit of the wait, in milliseconds. Default: 60,000. */
  readonly limitMs?: number;
  /** Age in milliseconds after which a lock counts as abandoned by a crashed process. Default: 20,000. */
  readonly staleMs?: number;
  /** Clock of the wait. Default: the machine's. */
  readonly clock?: WaitClock;
}

/** Throws if the lock was lost, which can happen to a process that was suspended for long. */
export type ConfirmLock = () => Promise<void>;

const LONGEST_PAUSE_MS = 50;

/**
 * Runs work while holding the lock file `NAME.lock` next to a file. Devices and FIFOs have no lock.
 *
 * @throws The file system's error; `EBUSY` when another process holds the lock beyond the limit, or has taken it over.
 */
export async function withLock<Result>(
  path: string,
  work: (confirm: ConfirmLock) => Promise<Result>,
  { limitMs = 60_000, staleMs = 20_000, clock = MONOTONIC }: LockOptions = {},
): Promise<Result> {
  const place = await findPlace(path);
  if (place.kind !== "file") return await work(async () => {});
  await makeFolder(dirname(place.path));
  const lock = `${await canonicalPath(place.path)}.lock`;
  const token = randomUUID();
  const until = clock.now() + limitMs;
  while (!(await createFile(lock, token))) {
    if (await removeStale(lock, staleMs)) continue;
    if (clock.now() >= until) throw fileError("EBUSY", `another process holds "${lock}"`);
    await clock.pause(Math.random() * LONGEST_PAUSE_MS);
  }
  const holds = async () => (await contentOf(lock)) === token;
  try {
    return await work(async () => {
      if (!(await holds())) throw fileError("EBUSY", `another process has taken over "${lock}"`);
    });
  } finally {
    if (await holds()) await rm(lock, { force: true });
  }
}

/**
 * Removes an abandoned lock. One process at a time does, and looks again first: another one may have removed the lock
 * and created its own.
 *
 * @returns Whether the lock may be free now.
 */
async function removeStale(lock: string, staleMs: number): Promise<boolean> {
  const found = await ageOf(lock);
  if (found === undefined) return true; // released in the meantime
  if (found < staleMs) return false;
  const removal = `${lock}.removal`;
  if (!(await createFile(removal, ""))) {
    if (((await ageOf(removal)) ?? 0) >= staleMs) await rm(removal, { force: true }); // that process has crashed too
    return false;
  }
  try {
    if (((await ageOf(lock)) ?? 0) >= staleMs) await rm(lock, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
  return true;
}

/** Milliseconds since a file was written; `undefined` if it does not exist. */
async function ageOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && Date.now() - found.mtimeMs;
}

async function contentOf(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(() => undefined);
}
