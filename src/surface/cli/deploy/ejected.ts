import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type EjectedFile, eject } from "../../../../dsl/mod.ts";
import { readIfPresent } from "../../../base/files/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { writeTextFile } from "../io/mod.ts";

/** The module that `eject` writes for a flow. */
const MODULE = "flow.ts";

/**
 * The files of an agent's module if they are exactly what `eject` writes for it, so that writing them again loses
 * nothing. `undefined` for modules that somebody has edited.
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
    const text = await readIfPresent(join(folder, file.path)).catch(() => undefined);
    if (text !== file.text) return undefined;
  }
  return files;
}

/** Overwrites the files that `eject` wrote earlier with the TypeScript of an agent. */
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

/** Writes an agent as TypeScript into a folder. If one of the files exists, returns its path and writes nothing. */
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
