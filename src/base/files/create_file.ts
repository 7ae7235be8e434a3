import { open } from "node:fs/promises";
import { errorCode } from "../values/mod.ts";

/**
 * Creates a file, such as a lock that one process holds.
 *
 * @param mode Permissions. Default: those of other files.
 * @returns `false` when the file exists.
 */
export async function createFile(path: string, text: string, mode?: number): Promise<boolean> {
  try {
    const file = await open(path, "wx", mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
