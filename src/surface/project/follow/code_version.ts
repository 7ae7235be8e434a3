import { createHash } from "node:crypto";
import { isModulePath } from "../sources.ts";
import { readAllFiles } from "./read_files.ts";

const DIGITS = 16;

/**
 * A hash of the content of modules, of the files that they import or name, wherever they are stored, and of the versions
 * of the installed packages that they import; `undefined` when no path is a module.
 */
export async function codeVersion(paths: readonly string[]): Promise<string | undefined> {
  const modules = paths.filter(isModulePath);
  if (modules.length === 0) return undefined;
  const files = await readAllFiles(modules);
  const hashes = [...files.values()].flatMap((text) =>
    text === undefined ? [] : [createHash("sha256").update(text).digest("hex")],
  );
  return createHash("sha256").update(hashes.sort().join()).digest("hex").slice(0, DIGITS);
}
