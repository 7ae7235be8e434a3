import { readFile, stat } from "node:fs/promises";
import { absent, fileError, findPlace } from "./find_place.ts";
import { decodeText, withoutMark } from "./text.ts";

/** Size limit in bytes. Callweave's own files are far smaller, and the text of a larger one is too long for a string. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads a regular text file. Returns `undefined` if it does not exist or is write-only, such as a FIFO.
 *
 * @throws The file system's error in all other cases: an unreadable file is not treated as missing.
 */
export async function readIfPresent(path: string): Promise<string | undefined> {
  const place = await findPlace(path);
  if (place.kind !== "file" || !place.existing) return undefined;
  const { size = 0 } = (await stat(place.path).catch(absent)) ?? {};
  if (size > MOST_BYTES) throw fileError("EFBIG", `it has more than ${MOST_BYTES / 2 ** 20} MiB`);
  const bytes = await readFile(place.path).catch(absent); // another process may remove it in the meantime
  return bytes && withoutMark(decodeText(bytes));
}
