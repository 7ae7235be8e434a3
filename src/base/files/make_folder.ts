import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../values/mod.ts";

/**
 * Creates a folder and its parents; does nothing if it exists.
 *
 * Node's recursive `mkdir` loops forever in places such as `/proc`, where folders can be looked up but not created.
 *
 * @throws The file system's error: `EEXIST` when a file is in the way.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
}
