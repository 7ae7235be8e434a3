import type { ResultRecord } from "../types.ts";
import { sizeOf } from "./result_rows.ts";

// Servers limit what one request may hold; a long call's result has 100 KB.
const MOST_RESULTS = 50;
const MOST_BYTES = 1_000_000;

/** How many of the first records go into one transaction; at least one. */
export function batchLength(records: Iterable<ResultRecord>): number {
  let length = 0;
  let bytes = 0;
  for (const record of records) {
    bytes += sizeOf(record);
    if (length > 0 && bytes > MOST_BYTES) return length;
    length++;
    if (length === MOST_RESULTS) return length;
  }
  return length;
}

/** Records in parts that one transaction takes. */
export function* batchesOf(records: readonly ResultRecord[]): Iterable<readonly ResultRecord[]> {
  for (let from = 0; from < records.length; ) {
    const length = batchLength(records.slice(from, from + MOST_RESULTS));
    yield records.slice(from, from + length);
    from += length;
  }
}
