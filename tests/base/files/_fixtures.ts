import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a test in a folder of its own. */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Makes a FIFO. */
export function makeFifo(path: string): string {
  execFileSync("mkfifo", [path]);
  return path;
}
