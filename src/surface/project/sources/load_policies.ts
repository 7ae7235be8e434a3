import { UsageError } from "../../../base/errors.ts";
import { inFile, parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import type { JsonObject } from "../../../base/values/mod.ts";
import { isPolicy, type Policy, parsePolicies } from "../../../document/scenario/mod.ts";
import type { ProjectReader } from "../reader.ts";
import { isModulePath, loadModule } from "./module.ts";

type FileReader = Pick<ProjectReader, "env" | "readText">;

/**
 * Loads the policies of files; without files, those that the agent's module exports.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `module-failed`, `no-export`.
 * @throws {ScenarioError} `invalid-policy`.
 */
export async function loadPolicies(
  exports: JsonObject,
  files: readonly string[],
  reader: FileReader,
): Promise<readonly Policy[]> {
  if (files.length === 0) return parsePolicies(exportedPolicies(exports));
  const loaded = await Promise.all(files.map((file) => policiesIn(file, reader)));
  return parsePolicies(loaded.flat());
}

async function policiesIn(path: string, { env, readText = readTextFile }: FileReader): Promise<readonly Policy[]> {
  try {
    const found = isModulePath(path)
      ? exportedPolicies(await loadModule(path, env))
      : [parseJsonFile(path, await readText(path))].flat();
    if (found.length > 0) return parsePolicies(found);
  } catch (error) {
    throw inFile(error, path);
  }
  throw new UsageError(`Cannot use "${path}" as policies: it has none`, {
    code: "no-export",
    hint: 'Export what policy("…") returns, or write a list of { name, rules }',
  });
}

/** The policies among a module's exports, each once. */
function exportedPolicies(exports: JsonObject): readonly unknown[] {
  const all = Object.values(exports).flatMap((value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.filter(isPolicy);
  });
  return [...new Set(all)];
}
