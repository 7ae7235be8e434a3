import type { ResultRecord } from "../records.ts";
import { sizeOf } from "./result_rows.ts";

// Servers limit the size of a request; the result of a long call has about 100 KB.
const MOST_RESULTS = 50;
const MOST_BYTES = 1_000_000;

/** Returns how many of the first records go into one transaction; at least one. */
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

/** Splits records into parts that each fit into one transaction. */
export function* batchesOf(records: readonly ResultRecord[]): Iterable<readonly ResultRecord[]> {
  for (let from = 0; from < records.length; ) {
    const length = batchLength(records.slice(from, from + MOST_RESULTS));
    yield records.slice(from, from + length);
    from += length;
  }
}
