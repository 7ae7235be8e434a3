import type { ResultRecord } from "../../../src/run/store/mod.ts";
import { createIdSource } from "../../../src/run/store/repositories.ts";
import { newResultRecord, newRunDocument, type RunDocument } from "../../../src/run/store/rows/statements.ts";
import { SpoolFile } from "../../../src/run/store/spool/spool_file.ts";
import { newResult, newRun } from "./_fixtures.ts";

const nextId = createIdSource();

/** A run that has not been stored anywhere, with some results. */
export function unstoredRun(count: number): { readonly document: RunDocument; readonly records: ResultRecord[] } {
  const document = newRunDocument(nextId(), newRun());
  const records = Array.from({ length: count }, (_, index) =>
    newResultRecord(nextId(), document.run.id, newResult({ trial: index + 1 })),
  );
  return { document, records };
}

/** The spool file of a process that is over: a run with its results, for a database file. */
export async function leaveSpool(folder: string, database: string, count: number): Promise<SpoolFile> {
  const { document, records } = unstoredRun(count);
  const file = new SpoolFile([folder], database, nextId);
  await file.append(
    records.map((record) => ({ kind: "result", record })),
    [{ kind: "run", document }],
  );
  return file;
}
