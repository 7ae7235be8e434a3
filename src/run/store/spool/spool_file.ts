import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { fileIdentity } from "../database/mod.ts";
import { makeSpoolFolder } from "./spool_folders.ts";
import { formatSpoolLine, type SpoolLine } from "./spool_lines.ts";

/** Suffix of a spool file that a store may still append to. */
export const SPOOL_ENDING = ".jsonl";

/** File mode: transcripts are readable by the user only. */
const MODE = 0o600;

/**
 * Spool file of one store: JSON lines, created with the first line. It is synced before `append` returns.
 *
 * Another process may claim the file at any time by renaming it, to write it to the database. Lines that may have been
 * appended too late are written again to a new file; the database stores each result only once.
 */
export class SpoolFile {
  readonly #folders: readonly string[];
  readonly #database: string;
  readonly #nextId: () => string;
  readonly #oneAtATime = pLimit(1);
  #path: string | undefined;
  #runs = new Set<string>();

  /**
   * @param folders The first writable one is used.
   * @param database `databaseName` of the results' database.
   */
  constructor(folders: readonly string[], database: string, nextId: () => string) {
    this.#folders = folders;
    this.#database = database;
    this.#nextId = nextId;
  }

  /** Path of the file; `undefined` before the first write. */
  get path(): string | undefined {
    return this.#path;
  }

  /**
   * Appends lines.
   *
   * @param runs Runs of these lines. They are written first unless the file already has them.
   * @throws The file system's error, after undoing a partial write.
   */
  async append(lines: readonly SpoolLine[], runs: readonly (SpoolLine & { readonly kind: "run" })[]): Promise<void> {
    await this.#oneAtATime(async () => {
      const ways = [
        async (): Promise<boolean> => this.#path !== undefined && (await this.#extend(this.#path, lines, runs)),
        ...this.#folders.map((folder) => async () => await this.#create(folder, lines, runs)),
      ];
      const failures: unknown[] = [];
      for (const way of ways)
        try {
          if (await way()) return;
        } catch (error) {
          failures.push(error);
        }
      throw failures[0];
    });
  }

  async #create(
    folder: string,
    lines: readonly SpoolLine[],
    runs: readonly (SpoolLine & { readonly kind: "run" })[],
  ): Promise<boolean> {
    await makeSpoolFolder(folder);
    const path = join(folder, `${this.#nextId()}${SPOOL_ENDING}`);
    const file = await open(path, "wx", MODE);
    try {
      await write(file, [{ kind: "head", database: this.#database }, ...runs, ...lines], 0);
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    await file.close();
    await syncFolder(folder);
    this.#path = path;
    this.#runs = new Set(runs.map(({ document }) => document.run.id));
    return true;
  }

  /** Appends to the existing file. Returns whether it still has its name afterwards. */
  async #extend(
    path: string,
    lines: readonly SpoolLine[],
    runs: readonly (SpoolLine & { readonly kind: "run" })[],
  ): Promise<boolean> {
    const fresh = runs.filter(({ document }) => !this.#runs.has(document.run.id));
    const before = fileIdentity(path);
    if (before === undefined) return false;
    const file = await openIfThere(path);
    if (!file) return false;
    try {
      const { size } = await file.stat();
      try {
        await write(file, [...fresh, ...lines], size);
      } catch (error) {
        await file.truncate(size).catch(() => {
          this.#path = undefined; // never append after a partial line
        });
        throw error;
      }
    } finally {
      await file.close();
    }
    if (fileIdentity(path) !== before) return false;
    for (const { document } of fresh) this.#runs.add(document.run.id);
    return true;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if (fileIdentity(path) === undefined) return undefined;
    throw error;
  }
}

async function write(file: FileHandle, lines: readonly SpoolLine[], position: number): Promise<void> {
  const bytes = Buffer.from(lines.map(formatSpoolLine).join(""));
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  await file.sync();
}

/** Syncs the folder, so that a new file name survives a crash, where the system supports it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot open folders
  }
}
