import { readFile } from "node:fs/promises";
import { findPlace } from "./find_place.ts";

/**
 * Reads a regular file. Returns `undefined` if it does not exist or is write-only, such as a FIFO.
 *
 * @throws The file system's error in all other cases: an unreadable file is not treated as missing.
 */
export async function readIfPresent(path: string): Promise<string | undefined> {
  const place = await findPlace(path);
  return place.kind === "file" && place.existing ? await readFile(place.path, "utf8") : undefined;
}
