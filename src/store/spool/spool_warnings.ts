import type { StoreStatus } from "../types.ts";

/** Warnings about spool files that could not be written to the database, one sentence each. */
export function spoolWarnings({ unreadable, recoveryError }: StoreStatus): readonly string[] {
  return [
    ...unreadable.map(
      (file) =>
        `Results of an earlier run in "${file}" are not in the database: repair the file's lines and rename it to end with .jsonl, or delete it`,
    ),
    ...(recoveryError === null
      ? []
      : [`Results of earlier runs are still in the spool: ${recoveryError}; "callweave runs recover" tries again`]),
  ];
}
