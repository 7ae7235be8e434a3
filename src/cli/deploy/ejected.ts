import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type EjectedFile, eject } from "../../../dsl/mod.ts";
import type { AgentGraph } from "../../graph/mod.ts";
import { writeTextFile } from "../io/mod.ts";

/** The module that `eject` writes for a flow. */
const MODULE = "flow.ts";

/**
 * The files of an agent's module, if they are to the letter what `eject` writes for it: then they can be written again
 * without a loss. `undefined` for modules that somebody has edited.
 */
export async function ejectedFiles(
  path: string,
  graph: AgentGraph,
  name: string,
): Promise<readonly EjectedFile[] | undefined> {
  if (basename(path) !== MODULE) return undefined;
  const folder = dirname(path);
  const files = eject(graph, { name });
  for (const file of files) {
    const text = await readFile(join(folder, file.path), "utf8").catch(() => undefined);
    if (text !== file.text) return undefined;
  }
  return files;
}

/** Writes an agent as TypeScript in place of files that were ejected before. */
export async function rewriteEjected(
  folder: string,
  before: readonly EjectedFile[],
  graph: AgentGraph,
  name: string,
): Promise<readonly string[]> {
  const after = eject(graph, { name });
  for (const { path, text } of after) await writeTextFile(join(folder, path), text);
  for (const { path } of before)
    if (!after.some((file) => file.path === path)) await rm(join(folder, path), { force: true });
  return after.map(({ path }) => join(folder, path));
}

/** Writes an agent as TypeScript into a folder that has none of its files. Returns the first file that exists, if one does. */
export async function writeEjected(
  folder: string,
  graph: AgentGraph,
  name: string,
): Promise<{ readonly written: readonly string[]; readonly taken?: string }> {
  const files = eject(graph, { name });
  const taken = files.map(({ path }) => join(folder, path)).find((path) => existsSync(path));
  if (taken !== undefined) return { written: [], taken };
  for (const { path, text } of files) await writeTextFile(join(folder, path), text);
  return { written: files.map(({ path }) => join(folder, path)) };
}
