import { statSync } from "node:fs";

/** Which file has a name: its device and inode. */
export type FileIdentity = string;

/** Identity of the file with this name; `undefined` if it does not exist. */
export function fileIdentity(path: string | undefined): FileIdentity | undefined {
  if (path === undefined) return undefined;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
