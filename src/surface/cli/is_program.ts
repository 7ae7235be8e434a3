import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../base/values/mod.ts";

/** A module's `import.meta`. */
export interface ModuleMeta {
  readonly url?: string | undefined;
  /** Set by Node from 24.2 on, by Bun and by Deno. */
  readonly main?: boolean | undefined;
}

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/**
 * Whether a module is the program that was started, rather than imported.
 *
 * @param started `process.argv[1]`: loaders leave out the extension, name a `.js` that is a
 *   `.ts`, or name a folder.
 * @returns `undefined` if it cannot be determined.
 */
export function isProgram({ url, main }: ModuleMeta, started: string | undefined): boolean | undefined {
  if (main !== undefined) return main;
  if (url !== undefined && /\/\[(?:eval|stdin)\d*\]$/.test(decodeURI(url))) return true;
  if (!started) return false; // nothing was started by its path: a prompt, --eval or --import
  const candidates = filesFor(started);
  if (candidates.length === 0 || url === undefined) return undefined;
  if (!url.startsWith("file:")) return false;
  const file = fileURLToPath(url);
  if (!candidates.some((each) => isSameFile(each, file))) return false;
  return candidates.every((each) => isSameFile(each, file)) ? true : undefined;
}

/** The files that a path may resolve to. */
function filesFor(path: string): readonly string[] {
  if (isFile(path)) return [path];
  return [...withExtensions(path), ...(isFolder(path) ? mainsOf(path) : [])].filter(isFile);
}

function withExtensions(path: string): readonly string[] {
  const extension = extname(path);
  const inTypeScript = /^\.[cm]?jsx?$/.test(extension)
    ? [extension.replace("j", "t"), ".tsx"].map((each) => join(dirname(path), basename(path, extension) + each))
    : [];
  return [...inTypeScript, ...EXTENSIONS.map((each) => path + each)];
}

/** The module that a folder resolves to: its package's `main`, else its index. */
function mainsOf(folder: string): readonly string[] {
  const main = mainOf(folder);
  const named = main === undefined ? [] : [join(folder, main)];
  const found = named.flatMap((path) => [path, ...withExtensions(path), ...withExtensions(join(path, "index"))]);
  return found.some(isFile) ? found : withExtensions(join(folder, "index"));
}

function mainOf(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isRecord(manifest) && typeof manifest.main === "string" ? manifest.main : undefined;
  } catch {
    return undefined;
  }
}

/** Links and case-insensitive file systems give one file several names. */
function isSameFile(one: string, other: string): boolean {
  try {
    if (realpathSync.native(one) === realpathSync.native(other)) return true;
    const [first, second] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return first.ino !== 0n && first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
