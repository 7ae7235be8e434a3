import { readFile } from "node:fs/promises";
import { dirname, extname, resolve, sep } from "node:path";
import { decodeText } from "../../../base/files/mod.ts";
import { isModulePath } from "../sources/mod.ts";
import { followImports, type ImportFollower } from "./bare_imports.ts";

const IMPORTS_NOTHING: ImportFollower = async () => [];

/** Relative paths in a module's text: imports, and files that it reads. */
const RELATIVE_PATH = /["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g;

/** Larger projects are watched in part. */
const MOST_FILES = 2_000;

/**
 * Reads a file, the modules that it imports and the files that it names, directly or through others. A named file that
 * does not exist is `undefined`: it may be created.
 */
export async function readFiles(
  path: string,
  follow: ImportFollower = IMPORTS_NOTHING,
): Promise<ReadonlyMap<string, string | undefined>> {
  const files = new Map<string, string | undefined>();
  const waiting = [resolve(path)];
  for (let file = waiting.pop(); file !== undefined && files.size < MOST_FILES; file = waiting.pop()) {
    if (files.has(file)) continue;
    const text = await readText(file);
    files.set(file, text);
    if (text !== undefined && isModulePath(file))
      waiting.push(...pathsIn(text, dirname(file)), ...(await follow(text, file)));
  }
  return files;
}

/** Reads files, like {@link readFiles}, with what they import by other names than relative paths, see {@link followImports}. */
export async function readAllFiles(paths: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
  const follow = followImports();
  return new Map((await Promise.all(paths.map((path) => readFiles(path, follow)))).flatMap((each) => [...each]));
}

function pathsIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(RELATIVE_PATH)].flatMap(([, written = ""]) => {
    const file = resolve(folder, written);
    if (file.includes(`${sep}node_modules${sep}`)) return [];
    const extension = extname(file);
    if (extension === "") return [`${file}.ts`, `${file}.js`];
    const inTypeScript = /^\.[cm]?js$/.test(extension) ? [file.replace(/js$/, "ts")] : []; // as tsc has it
    return [file, ...inTypeScript];
  });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return decodeText(await readFile(file));
  } catch {
    return undefined;
  }
}
