import type { InValue, ResultSet, Row } from "@libsql/client";
import { StoreError } from "../../../base/errors.ts";
import type { Database, Work } from "./database.ts";
import { isTooLarge } from "./errors.ts";

// servers limit the size of a response, to 10 MB by default; the result of a long call has about 100 KB
const ROWS_PER_READ = 64;

/**
 * Reads all rows of a query in pages that fit into a server's response.
 *
 * @param sql Query ordered by a unique column. Its last two parameters are that column's value in the last row of the
 *   previous page (at first an empty text) and the page size.
 * @param column Name of that column.
 */
export async function readRowPages(
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
