import type { InStatement, InValue } from "@libsql/client";

const DEFAULT_LIMIT = 50;

/** Serializes a value for a JSON column. Throws for `undefined`, which JSON cannot represent. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("cannot store a value that JSON cannot represent");
  return text;
}

/** Serializes a value for a JSON column that may be empty. */
export function optionalJson(value: unknown): string | null {
  return value === undefined ? null : json(value);
}

/**
 * Replaces characters that libSQL clients change: they truncate at NUL and differ in how they encode lone surrogates.
 */
export function storableText(value: string): string {
  return value
    .replaceAll("\0", "\uFFFD")
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

/** Returns a page size for SQL, where -1 means no limit. */
export function rowLimit(limit: number = DEFAULT_LIMIT): number {
  if (limit === Number.POSITIVE_INFINITY) return -1;
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : DEFAULT_LIMIT;
}

/** Builds a WHERE clause from the comparisons whose value is defined. */
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

/** Returns a statement that inserts a row unless it exists. */
export function insertion(table: string, row: { readonly [column: string]: InValue }): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    args: Object.values(row),
  };
}

/** Returns a statement that inserts a row unless it exists, or the row with the given id that it belongs to is missing. */
export function insertionIf(
  owners: string,
  ownerId: string,
  table: string,
  row: { readonly [column: string]: InValue },
): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.map(() => "?").join(", ")}
      WHERE EXISTS (SELECT 1 FROM ${owners} WHERE id = ?) ON CONFLICT DO NOTHING`,
    args: [...Object.values(row), ownerId],
  };
}
