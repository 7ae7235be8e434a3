import { statSync } from "node:fs";

/** Device and inode of a file, as a string. */
export type FileIdentity = string;

/** Returns the identity of the file at a path, or `undefined` if it does not exist. */
export function fileIdentity(path: string | undefined): FileIdentity | undefined {
  if (path === undefined) return undefined;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
