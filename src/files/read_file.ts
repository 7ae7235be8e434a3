import { readFile } from "node:fs/promises";
import { absent, findPlace } from "./find_place.ts";
import { decodeText, withoutMark } from "./text.ts";

/**
 * Reads a regular text file. Returns `undefined` if it does not exist or is write-only, such as a FIFO.
 *
 * @throws The file system's error in all other cases: an unreadable file is not treated as missing.
 */
export async function readIfPresent(path: string): Promise<string | undefined> {
  const place = await findPlace(path);
  if (place.kind !== "file" || !place.existing) return undefined;
  const bytes = await readFile(place.path).catch(absent); // another process may remove it in the meantime
  return bytes && withoutMark(decodeText(bytes));
}
