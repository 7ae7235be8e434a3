import { createHash } from "node:crypto";
import { UsageError } from "../../base/errors.ts";
import { canonicalJson, isRecord, jsonOrText, omit } from "../../base/values/mod.ts";

/** Longest cursor that is read. */
const LONGEST = 600;
const DIGITS = 16;

/** A place in a list, and what the list was made of. */
export interface Place {
  /** Where the next page begins: an index, or the id of the last record. */
  readonly at: string;
  /** Of the list; another one cannot be continued. Absent: the list only grows at its beginning. */
  readonly version?: string;
}

/** The cursor of a tool's next page. It is only good for the same tool and arguments. */
export function cursorOf(tool: string, input: object, { at, version = "" }: Place): string {
  return Buffer.from(JSON.stringify([at, version, keyOf(tool, input)])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @param version Of the list as it is now, or what makes it.
 * @throws {UsageError} `invalid-cursor`.
 */
export function readCursor(tool: string, input: object, version = ""): string | undefined {
  const cursor: unknown = isRecord(input) ? input.cursor : undefined;
  if (cursor === undefined) return undefined;
  const text = typeof cursor === "string" && cursor.length <= LONGEST ? cursor : "";
  const parts: unknown = jsonOrText(Buffer.from(text, "base64url").toString());
  const [at, made, key]: readonly unknown[] = Array.isArray(parts) ? parts : [];
  if (typeof at !== "string" || key !== keyOf(tool, input)) throw unfit("it is of another call of a tool");
  if (made !== version) throw unfit("what it lists was changed since");
  return at;
}

function keyOf(tool: string, input: object): string {
  const key = canonicalJson([tool, isRecord(input) ? omit(input, ["cursor", "limit"]) : {}]);
  return createHash("sha256").update(key).digest("hex").slice(0, DIGITS);
}

function unfit(state: string): UsageError {
  return new UsageError(`Cannot continue the list: the cursor does not fit: ${state}`, {
    code: "invalid-cursor",
    path: ["cursor"],
    hint: "Leave the cursor out to start again, and pass the same arguments with each cursor",
  });
}
