import type { InValue, ResultSet, Row } from "@libsql/client";
import { StoreError } from "../../errors.ts";
import type { Database, Work } from "./database.ts";
import { isTooLarge } from "./errors.ts";

// A server limits the size of a response, to 10 MB by default; the result of a long call has 100 KB.
const ROWS_PER_READ = 64;

/**
 * Reads all rows of a query in parts that a server is willing to send.
 *
 * @param sql Orders by a column that no two rows share; its last two parameters are that column's value in the last row
 *   before (at first an empty text), and how many rows are wanted.
 * @param column The column that it is ordered by.
 */
export async function readPages(
  database: Database,
  { sql, args, column }: { readonly sql: string; readonly args: readonly InValue[]; readonly column: string },
  work: Work,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let perRead = ROWS_PER_READ;
  for (;;) {
    let part: ResultSet;
    try {
      part = await database.read({ sql, args: [...args, rows.at(-1)?.[column] ?? "", perRead] }, work);
    } catch (error) {
      if (!(error instanceof StoreError) || !isTooLarge(error.cause) || perRead === 1) throw error;
      perRead = Math.ceil(perRead / 4);
      continue;
    }
    rows.push(...part.rows);
    if (part.rows.length < perRead) return rows;
  }
}
