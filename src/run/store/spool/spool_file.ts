import { createReadStream, lstatSync, mkdirSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import pLimit from "p-limit";
import * as v from "valibot";
import { makeFolder } from "../../../base/files/mod.ts";
import type { JsonObject } from "../../../base/values/mod.ts";
import { parseGraph } from "../../../document/graph/mod.ts";
import { fileIdentity, type Location } from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import {
  json,
  NO_RESULTS,
  optionalJson,
  type RunDocument,
  resultDocument,
  resultFromDocument,
  runColumns,
  runFrom,
} from "../rows/mod.ts";

interface OpenRun {
  /** How many times the run was started and not yet finished: several parts of it may use one store. */
  users: number;
  readonly document: RunDocument;
  readonly stored: Map<string, ResultRecord>;
}

/**
 * Results written for unfinished runs, kept in memory. If the database loses them, because its file was deleted or its
 * server lost its data, they are written again from here. Imported results are not kept: they may be more than fit into
 * memory, and can be imported again.
 */
export class Journal {
  readonly #runs = new Map<string, OpenRun>();

  start(document: RunDocument): void {
    const open = this.#runs.get(document.run.id);
    if (open) open.users++;
    else this.#runs.set(document.run.id, { users: 1, document, stored: new Map() });
  }

  /** Adds results that the database has stored. */
  keep(records: readonly ResultRecord[]): void {
    for (const record of records) {
      const open = this.#runs.get(record.runId);
      if (open?.document.run.kind !== "imported") open?.stored.set(record.id, record);
    }
  }

  finish(runId: string): void {
    const open = this.#runs.get(runId);
    if (open && --open.users === 0) this.#runs.delete(runId);
  }

  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  document(runId: string): RunDocument | undefined {
    return this.#runs.get(runId)?.document;
  }

  /** Returns the stored results of a run. */
  stored(runId: string): readonly ResultRecord[] {
    return [...(this.#runs.get(runId)?.stored.values() ?? [])];
  }

  /** Returns the ids of unfinished runs. */
  runIds(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Returns everything that the database must contain. */
  contents(): readonly { readonly document: RunDocument; readonly results: readonly ResultRecord[] }[] {
    return [...this.#runs.values()].map(({ document, stored }) => ({ document, results: [...stored.values()] }));
  }
}

/** Suffix of a spool file that a store may still append to. */
export const SPOOL_ENDING = ".jsonl";

/** File mode: transcripts are readable by the user only. */
const MODE = 0o600;

/** Version of the spool format. */
const SPOOL_VERSION = 1;

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

/** One line of a spool file. */
export type SpoolLine =
  /** The first line; names the database that the results belong to. */
  | { readonly kind: "head"; readonly database: string }
  /** A run; it precedes its results. */
  | { readonly kind: "run"; readonly document: RunDocument }
  | { readonly kind: "result"; readonly record: ResultRecord }
  /** The finish time of a run, or of a part of it. */
  | { readonly kind: "finished"; readonly runId: string; readonly at: string; readonly part?: number | undefined };

const Head = v.looseObject({ callweave_spool: v.literal(SPOOL_VERSION), database: v.string() });
const Part = v.looseObject({ index: v.number(), total: v.number() });
const Run = v.looseObject({ run: v.looseObject({ id: v.string() }), graph: v.looseObject({}), part: v.optional(Part) });
const Result = v.looseObject({ result: v.looseObject({ id: v.string(), run_id: v.string() }) });
const Finished = v.looseObject({
  finished: v.looseObject({ run_id: v.string(), at: v.string(), part: v.optional(v.number()) }),
});

/** Serializes a line, with its line feed. */
function formatSpoolLine(line: SpoolLine): string {
  return `${JSON.stringify(documentOf(line))}\n`;
}

/** Parses a line; returns `undefined` when it is truncated or invalid. */
export function parseSpoolLine(text: string): SpoolLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (v.is(Head, value)) return { kind: "head", database: value.database };
    if (v.is(Run, value)) return { kind: "run", document: runDocument(value) };
    if (v.is(Result, value)) return { kind: "result", record: resultFromDocument(value.result) };
    if (!v.is(Finished, value)) return undefined;
    const { run_id: runId, at, part } = value.finished;
    return { kind: "finished", runId, at, part };
  } catch {
    return undefined;
  }
}

/** Length of a line that Callweave never writes, and that is not held in memory. */
const MOST_CHARACTERS = 2 ** 28;

/** The lines of a spool file. They end at line feeds only, because JSON strings may contain other line separators. */
export async function* linesOf(path: string): AsyncIterable<{ readonly text: string; readonly isWhole: boolean }> {
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= MOST_CHARACTERS) parts.push(part);
  };
  const ended = (isWhole: boolean) => {
    const text = length <= MOST_CHARACTERS ? parts.join("") : "…"; // no line of a spool file
    parts = [];
    length = 0;
    return { text, isWhole };
  };
  for await (const chunk of createReadStream(path, { encoding: "utf8" })) {
    const [first = "", ...others] = String(chunk).split("\n");
    take(first);
    for (const other of others) {
      yield ended(true);
      take(other);
    }
  }
  if (length > 0) yield ended(false);
}

/** Whether a text can be the beginning of a file's first line, which another process is writing. */
export function isBegunHead(text: string): boolean {
  const begin = JSON.stringify({ callweave_spool: SPOOL_VERSION }).slice(0, -1);
  return text.startsWith(begin) || begin.startsWith(text);
}

function documentOf(line: SpoolLine): JsonObject {
  switch (line.kind) {
    case "head":
      return { callweave_spool: SPOOL_VERSION, database: line.database };
    case "run":
      return { run: runColumns(line.document.run), graph: line.document.graph, part: line.document.part };
    case "result":
      return { result: resultDocument(line.record) };
    case "finished":
      return { finished: { run_id: line.runId, at: line.at, part: line.part } };
  }
}

function runDocument({ run, graph, part }: v.InferOutput<typeof Run>): RunDocument {
  const row = {
    ...run,
    models: json(run.models),
    options: json(run.options),
    plan: optionalJson(run.plan),
    ...NO_RESULTS,
  };
  return { run: runFrom(row), graph: parseGraph(graph), ...(part ? { part } : {}) };
}

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
