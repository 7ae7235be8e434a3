import type { InStatement, InValue } from "@libsql/client";

const DEFAULT_LIMIT = 50;

/** JSON for a column. `undefined` at the top has no JSON and is an error, as it would be for the database. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("a value to be stored is no JSON");
  return text;
}

/** Text that every libSQL client gives back as it was: they cut at NUL, and encode half a character each in its way. */
export function text(value: string): string {
  return value
    .replaceAll("\0", "\uFFFD")
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

/** A page's size as SQL has it; infinite is -1 there. */
export function rowLimit(limit: number = DEFAULT_LIMIT): number {
  if (limit === Number.POSITIVE_INFINITY) return -1;
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : DEFAULT_LIMIT;
}

/** The WHERE clause for the comparisons that have a value. */
export function conditions(comparisons: readonly (readonly [sql: string, value: InValue | undefined])[]): {
  readonly where: string;
  readonly args: InValue[];
} {
  const wanted = comparisons.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql: `${sql} ?`, value }]));
  return {
    where: wanted.length === 0 ? "" : ` WHERE ${wanted.map(({ sql }) => sql).join(" AND ")}`,
    args: wanted.map(({ value }) => value),
  };
}

/** Adds a row, and does nothing when it is done a second time. */
export function insertion(table: string, row: { readonly [column: string]: InValue }): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    args: Object.values(row),
  };
}

/** Adds a row that belongs to a run, and does nothing when the run is not there. */
export function insertionInRun(table: string, row: { readonly [column: string]: InValue }, runId: string): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.map(() => "?").join(", ")}
      WHERE EXISTS (SELECT 1 FROM callweave_runs WHERE id = ?) ON CONFLICT DO NOTHING`,
    args: [...Object.values(row), runId],
  };
}
