import { UsageError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/values/mod.ts";
import { isPolicy, type Policy, parsePolicies } from "../../../document/scenario/mod.ts";
import type { Arguments, Flag } from "../arguments/mod.ts";
import { inFile, parseJsonFile, readTextFile, type Terminal } from "../io/mod.ts";
import { isModulePath, loadModule } from "./module.ts";

/** The flag that names policies. */
export const POLICY_FLAGS = {
  policies: {
    value: "FILE",
    repeats: true,
    description: "Module that exports policies, or a JSON list of them; SOURCE itself by default",
  },
} satisfies { readonly [name: string]: Flag };

/**
 * Loads the policies that a command line names; without the flag, those that the agent's module exports.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `module-failed`, `no-export`.
 * @throws {ScenarioError} `invalid-policy`.
 */
export async function loadPolicies(
  exports: JsonObject,
  args: Arguments,
  terminal: Pick<Terminal, "env">,
): Promise<readonly Policy[]> {
  const files = args.texts("policies");
  if (files.length === 0) return parsePolicies(exportedPolicies(exports));
  const loaded = await Promise.all(files.map((file) => policiesIn(file, terminal)));
  return parsePolicies(loaded.flat());
}

async function policiesIn(path: string, { env }: Pick<Terminal, "env">): Promise<readonly Policy[]> {
  try {
    const found = isModulePath(path)
      ? exportedPolicies(await loadModule(path, env))
      : [parseJsonFile(path, await readTextFile(path))].flat();
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
