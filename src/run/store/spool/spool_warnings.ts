import type { StoreStatus } from "../types.ts";

/** Returns warnings about spool files that are not in the database, one sentence each. */
export function spoolWarnings({ unreadable, recoveryError }: StoreStatus): readonly string[] {
  return [
    ...unreadable.map(
      (file) =>
        `Results of an earlier run in "${file}" are not in the database: repair the file's lines and rename it to end with .jsonl, or delete it`,
    ),
    ...(recoveryError === null
      ? []
      : [`Results of earlier runs are still in the spool: ${recoveryError}; retry with "callweave runs recover"`]),
  ];
}
