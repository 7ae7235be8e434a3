import { createReadStream } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { InStatement } from "@libsql/client";
import { type Database, databaseName, fileIdentity, isUnstorable } from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import { batchLength, resultInsertions, runFinish, runInsertions } from "../rows/mod.ts";
import type { Recovery } from "../types.ts";
import { findTaken, LostDatabaseError } from "./restorable.ts";
import { SPOOL_ENDING } from "./spool_file.ts";
import { isTrustedSpool } from "./spool_folders.ts";
import { parseSpoolLine, type SpoolLine } from "./spool_lines.ts";

/** A single attempt; the files stay for the next one. */
const WORK = { action: "write spool to", tries: 1 } as const;
/** Suffix of a spool file that one process has claimed for recovery. */
const CLAIMED_ENDING = `${SPOOL_ENDING}.claimed`;
/** Suffix of a spool file that could only be written in part. */
const LEFT_ENDING = `${SPOOL_ENDING}.left`;

/**
 * Writes the spool files of some folders that belong to this database, and deletes them.
 *
 * A file is renamed first, so that the store that created it starts a new one. Every statement is idempotent: several
 * processes may recover at the same time, and after a crash the next one continues.
 *
 * @throws {StoreError} When the database rejects the results; the files stay.
 */
export async function recoverSpool(database: Database, folders: readonly string[]): Promise<Recovery> {
  const name = databaseName(database.location);
  const total = { results: 0, runs: new Set<string>(), damaged: 0, otherDatabases: new Set<string>() };
  const trusted = folders.filter(isTrustedSpool);
  const files = (await Promise.all(trusted.map(spoolFiles))).flat();
  const unreadable = (await Promise.all(trusted.map((folder) => filesOf(folder, [LEFT_ENDING])))).flat();
  if (files.length > 0) await database.read("SELECT count(*) FROM callweave_runs", WORK); // fails before a file is renamed
  for (const file of files) {
    const head = await headOf(file);
    if (head === undefined) continue; // deleted, or not written yet
    if (head === null) {
      unreadable.push(file);
      continue;
    }
    if (head !== name) {
      total.otherDatabases.add(head);
      continue;
    }
    const claimed = await claim(file);
    if (claimed === undefined) continue;
    const written = await writeFile(database, claimed).catch(async (error: unknown) => {
      if (fileIdentity(claimed) === undefined) return undefined; // another process has already written it
      await rename(claimed, file).catch(() => {}); // reports mention the file by its old name
      throw error;
    });
    if (!written) continue;
    const { results, runs, damaged, unknown } = written;
    total.results += results;
    total.damaged += damaged + unknown;
    for (const run of runs) total.runs.add(run);
    if (damaged + unknown === 0) await rm(claimed, { force: true });
    else unreadable.push(await leave(claimed));
  }
  return { ...total, runs: [...total.runs], unreadable, otherDatabases: [...total.otherDatabases] };
}

function spoolFiles(folder: string): Promise<readonly string[]> {
  return filesOf(folder, [SPOOL_ENDING, CLAIMED_ENDING]);
}

async function filesOf(folder: string, endings: readonly string[]): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []); // usually the folder does not exist
  return names
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
    .map((name) => join(folder, name));
}

/** Returns the name of the database that a file belongs to; `null` when its first line is complete but unreadable. */
async function headOf(path: string): Promise<string | null | undefined> {
  try {
    let first: string | undefined;
    for await (const text of linesOf(path)) {
      const line = first === undefined ? parseSpoolLine(text) : undefined;
      if (line?.kind === "head") return line.database;
      if (first !== undefined) return null; // there is a second line, so the first is complete
      first = text;
    }
  } catch {
    // another process has claimed it
  }
  return undefined;
}

async function claim(path: string): Promise<string | undefined> {
  if (path.endsWith(CLAIMED_ENDING)) return path;
  const claimed = `${path}.claimed`;
  try {
    await rename(path, claimed);
    return claimed;
  } catch {
    return undefined; // another process has claimed it
  }
}

/** Renames a partly recovered file, so that later recoveries skip it. */
async function leave(claimed: string): Promise<string> {
  const left = `${claimed.slice(0, -CLAIMED_ENDING.length)}${LEFT_ENDING}`;
  try {
    await rename(claimed, left);
    return left;
  } catch {
    return claimed;
  }
}

interface Written {
  results: number;
  readonly runs: Set<string>;
  /** Unreadable lines. */
  damaged: number;
  /** Results that the database rejects, or whose run is missing in the file and the database. */
  unknown: number;
}

async function writeFile(database: Database, path: string): Promise<Written> {
  const written: Written = { results: 0, runs: new Set(), damaged: 0, unknown: 0 };
  let waiting: ResultRecord[] = [];
  const flush = async () => {
    if (waiting.length > 0) await writeResults(database, waiting, written);
    waiting = [];
  };
  let cut = false;
  for await (const text of linesOf(path)) {
    if (cut) written.damaged++;
    const line = parseSpoolLine(text);
    cut = line === undefined; // the last line may be cut off if the process was killed while writing it
    if (!line) continue;
    if (line.kind === "result") waiting.push(line.record);
    if (line.kind !== "result" || batchLength(waiting) < waiting.length) await flush();
    const statements = statementsOf(line);
    if (statements.length > 0) await database.write([...statements], WORK);
  }
  await flush();
  if (database.isReplaced()) throw new LostDatabaseError(`"${database.location.shown}" was deleted or replaced`);
  return written;
}

async function writeResults(database: Database, records: readonly ResultRecord[], written: Written): Promise<void> {
  try {
    const answers = await database.write([...resultInsertions(records)], WORK);
    const stored = new Set(answers.at(-1)?.rows.map(({ id }) => String(id)));
    for (const record of records)
      if (stored.has(record.id)) written.runs.add(record.runId);
      else if (!(await findTaken(database, record))) written.unknown++;
    // the first statement of each result inserts its row, or does nothing when another process has inserted it
    written.results += records.reduce((sum, _, index) => sum + (answers[2 * index]?.rowsAffected ?? 0), 0);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    if (records.length === 1) written.unknown++;
    else for (const record of records) await writeResults(database, [record], written);
  }
}

function statementsOf(line: SpoolLine): readonly InStatement[] {
  switch (line.kind) {
    case "run":
      return runInsertions(line.document);
    case "finished":
      return runFinish(line.runId, line.at, { part: line.part, keepEarlier: true });
    default:
      return [];
  }
}

/** Splits lines at line feeds only, because JSON strings may contain other line separators. */
async function* linesOf(path: string): AsyncIterable<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8" })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
