import { readFile } from "node:fs/promises";
import { findPlace } from "./find_place.ts";

/**
 * Reads a regular file; `undefined` if it does not exist or can only be written to.
 *
 * @throws The file system's error for anything else: a file that is there and cannot be read is not an empty one.
 */
export async function readIfPresent(path: string): Promise<string | undefined> {
  const place = await findPlace(path);
  return place.kind === "file" && place.existing ? await readFile(place.path, "utf8") : undefined;
}
