import { statSync } from "node:fs";
import { usage } from "../arguments/mod.ts";

/** A folder name that is valid on every system and in every shell. */
export function folderName(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-") || "agent";
}

/** Matches names of files that commands write; a folder "shop.v2" is one. */
const FILE = /\.(?:[cm]?[jt]sx?|json|md)$/i;

/**
 * Checks that a folder for several files is not named like a file: `--out flow.ts` would make a folder `flow.ts`.
 *
 * @param flag As it is typed: `--out`.
 * @throws {UsageError} `usage`.
 */
export function checkFolder(path: string, flag: string): void {
  if (!FILE.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw usage(
    `${flag} is "${path}", which is the name of a file, and several files are written`,
    `Name a folder: ${path.replace(FILE, "")}`,
  );
}
