import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/mod.ts";

/** Copies of modules in a temporary folder beside them. Removed on disposal. */
export interface Mirror extends AsyncDisposable {
  /** Path of a module's copy. */
  readonly pathOf: (file: string) => string;
}

/**
 * Writes modules to a temporary folder beside them. Everything else in their folders is linked, so that their imports
 * and file reads resolve: packages, data files, other modules.
 *
 * @param modules Texts by absolute path.
 * @param neighbours Other files that they name, which must be reachable from the copies by the same relative path.
 * @throws {UsageError} `unwritable-file`.
 */
export async function mirrorModules(
  modules: ReadonlyMap<string, string>,
  neighbours: readonly string[],
): Promise<Mirror> {
  const top = commonFolder([...modules.keys(), ...neighbours].map((file) => dirname(file)));
  const folder = await temporaryFolder(top);
  const remove = () => rm(folder, { recursive: true, force: true });
  const pathOf = (file: string) => join(folder, relative(top, file));
  try {
    const folders = new Set([top]);
    for (const file of modules.keys()) for (let at = dirname(file); at !== top; at = dirname(at)) folders.add(at);
    for (const each of folders) {
      await mkdir(pathOf(each), { recursive: true });
      for (const entry of await readdir(each, { withFileTypes: true })) {
        const from = join(each, entry.name);
        if (modules.has(from) || folders.has(from) || from === folder) continue;
        await link(from, pathOf(from), entry.isDirectory());
      }
    }
    for (const [file, text] of modules) await writeFile(pathOf(file), text);
  } catch (error) {
    await remove();
    throw error;
  }
  return { pathOf, [Symbol.asyncDispose]: remove };
}

async function temporaryFolder(top: string): Promise<string> {
  try {
    return await mkdtemp(join(top, ".callweave-repair-"));
  } catch (cause) {
    const { state, hint } = fileProblem(cause, "write");
    throw new UsageError(`Cannot check the change of the module: no folder can be made in "${top}": ${state}`, {
      code: "unwritable-file",
      hint,
      cause,
    });
  }
}

/** Creates links where they are allowed, else copies. */
async function link(from: string, to: string, isFolder: boolean): Promise<void> {
  try {
    await symlink(from, to, isFolder ? "junction" : "file");
  } catch (error) {
    if (isFolder) throw error;
    await copyFile(from, to);
  }
}

function commonFolder(folders: readonly string[]): string {
  const [first = "", ...rest] = folders.map((folder) => resolve(folder));
  let parts = first.split(sep);
  for (const folder of rest) {
    const other = folder.split(sep);
    const end = parts.findIndex((part, index) => part !== other[index]);
    if (end !== -1) parts = parts.slice(0, end);
  }
  return parts.join(sep) || sep;
}
