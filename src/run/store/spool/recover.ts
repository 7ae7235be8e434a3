import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { InStatement } from "@libsql/client";
import { errorCode } from "../../../base/values/mod.ts";
import { type Database, databaseName, fileIdentity, isUnstorable } from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import { batchLength, resultInsertions, runFinish, runInsertions } from "../rows/mod.ts";
import type { Recovery } from "../types.ts";
import { findTaken, LostDatabaseError } from "./restorable.ts";
import { SPOOL_ENDING } from "./spool_file.ts";
import { isTrustedSpool } from "./spool_folders.ts";
import { isBegunHead, linesOf, parseSpoolLine, type SpoolLine } from "./spool_lines.ts";

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
  const unreadable: string[] = [];
  const names: string[] = [];
  for (const folder of trusted)
    await readdir(folder).then(
      (found) => void names.push(...found.sort().map((name) => join(folder, name))),
      (error: unknown) => void (errorCode(error) === "ENOENT" || unreadable.push(folder)),
    );
  const endingIn = (...endings: readonly string[]) =>
    names.filter((name) => endings.some((ending) => name.endsWith(ending)));
  const files = endingIn(SPOOL_ENDING, CLAIMED_ENDING);
  unreadable.push(...endingIn(LEFT_ENDING));
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
    if (claimed === null) {
      unreadable.push(file);
      continue;
    }
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

/**
 * Returns the name of the database that a file belongs to; `undefined` when its first line is not written yet, or another
 * process has claimed it, and `null` when it cannot be read.
 */
async function headOf(path: string): Promise<string | null | undefined> {
  try {
    for await (const { text, isWhole } of linesOf(path)) {
      const line = parseSpoolLine(text);
      if (line?.kind === "head") return line.database;
      return isWhole || !isBegunHead(text) ? null : undefined;
    }
    return undefined; // the file is empty
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : null;
  }
}

/** Claims a file; `undefined` when another process has, and `null` when it cannot be renamed. */
async function claim(path: string): Promise<string | null | undefined> {
  if (path.endsWith(CLAIMED_ENDING)) return path;
  const claimed = `${path}.claimed`;
  try {
    await rename(path, claimed);
    return claimed;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : null;
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
  for await (const { text } of linesOf(path)) {
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
