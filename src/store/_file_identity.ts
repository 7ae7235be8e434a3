import { statSync } from "node:fs";

/** Which file has a name: its device and inode. */
export type FileIdentity = string;

/** The file that has this name now; `undefined` when there is none. */
export function fileIdentity(path: string | undefined): FileIdentity | undefined {
  if (path === undefined) return undefined;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
