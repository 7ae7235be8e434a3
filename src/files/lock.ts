import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalPath, fileError, findPlace } from "./find_place.ts";
import { makeFolder } from "./make_folder.ts";

/** Options of {@link withLock}. */
export interface LockOptions {
  /** Time limit of the wait, in milliseconds. Default: 60,000. */
  readonly limitMs?: number;
  /** Age in milliseconds after which a lock counts as abandoned by a crashed process. Default: 20,000. */
  readonly staleMs?: number;
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
  { limitMs = 60_000, staleMs = 20_000 }: LockOptions = {},
): Promise<Result> {
  const place = await findPlace(path);
  if (place.kind !== "file") return await work(async () => {});
  await makeFolder(dirname(place.path));
  const lock = `${await canonicalPath(place.path)}.lock`;
  const token = randomUUID();
  const until = performance.now() + limitMs;
  while (!(await take(lock, token))) {
    if (await removeStale(lock, staleMs)) continue;
    if (performance.now() >= until) throw fileError("EBUSY", `another process holds "${lock}"`);
    await sleep(Math.random() * LONGEST_PAUSE_MS);
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

async function take(lock: string, token: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx");
    try {
      await file.writeFile(token);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes an abandoned lock. If several processes try, only the one whose rename succeeds removes it. */
async function removeStale(lock: string, staleMs: number): Promise<boolean> {
  const before = await stat(lock).catch(() => undefined);
  if (!before) return true; // released in the meantime
  if (Date.now() - before.mtimeMs < staleMs) return false;
  const moved = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, moved);
  } catch {
    return true; // another process has removed it
  }
  const taken = await stat(moved);
  // if another process has removed the old lock and created its own in between, put that one back
  if (taken.ino !== before.ino || taken.mtimeMs !== before.mtimeMs) await link(moved, lock).catch(() => undefined);
  await rm(moved, { force: true });
  return true;
}

async function contentOf(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(() => undefined);
}
