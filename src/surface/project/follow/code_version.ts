import { createHash } from "node:crypto";
import { isModulePath } from "../sources/mod.ts";
import { readFiles } from "./read_files.ts";

const DIGITS = 16;

/**
 * A hash of the content of modules, and of the files that they import or name, wherever they are stored; `undefined` when
 * no path is a module.
 */
export async function codeVersion(paths: readonly string[]): Promise<string | undefined> {
  const modules = paths.filter(isModulePath);
  if (modules.length === 0) return undefined;
  const files = new Map((await Promise.all(modules.map(readFiles))).flatMap((each) => [...each]));
  const hashes = [...files.values()].flatMap((text) =>
    text === undefined ? [] : [createHash("sha256").update(text).digest("hex")],
  );
  return createHash("sha256").update(hashes.sort().join()).digest("hex").slice(0, DIGITS);
}
