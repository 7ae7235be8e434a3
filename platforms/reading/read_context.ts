import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";

/** Where a record was read, for messages about it. */
export interface RecordPlace {
  /** Name of the file or platform. */
  readonly source: string;
  /** Number of the record in its source, from 1. */
  readonly position: number;
  /** Line in which it begins; `null` if the source is not a file. */
  readonly line: number | null;
}

/** Thrown by readers for a record that is not a finished call. Its message is the reason. */
export class NotACallError extends Error {
  readonly problem: "damaged" | "skipped";

  constructor(reason: string, problem: "damaged" | "skipped" = "damaged") {
    super(reason);
    this.problem = problem;
  }
}

/** Removes empty values from the facts to keep. */
export function factsFrom(facts: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === "" || (isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => !isEmpty(value)));
}
