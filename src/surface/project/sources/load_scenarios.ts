import { UsageError } from "../../../base/errors.ts";
import { inFile, parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { isRecord, isTypoOf, type JsonObject } from "../../../base/values/mod.ts";
import { inOneDialect, parseScenarios, plainScenario, type Scenario } from "../../../document/scenario/mod.ts";
import type { ProjectReader } from "../reader.ts";
import { isModulePath, loadModule } from "./module.ts";

/**
 * Loads the scenarios of a file: all that a module exports, or a JSON list of test cases.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `module-failed`, `no-export`, `usage`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export async function loadScenarios(
  path: string,
  { env, warn, readText = readTextFile }: Pick<ProjectReader, "env" | "readText" | "warn">,
): Promise<readonly Scenario[]> {
  if (!isModulePath(path)) {
    const { scenarios, unsure } = inOneDialect(readScenarios(parseJsonFile(path, await readText(path)), path));
    for (const { scenario, pattern } of unsure)
      warn(
        `warning[unsure-pattern] "${path}": the pattern "${pattern}" of "${scenario}" is read as an RE2 expression, but could be a glob — Write "re2:${pattern}" or "glob:${pattern}"`,
      );
    if (scenarios.length > 0) return scenarios;
    throw new UsageError(`Cannot load scenarios: no scenarios in "${path}"`, {
      code: "usage",
      hint: "Write at least one, or leave the file out",
    });
  }
  const exports = await loadModule(path, env);
  const found = exportedScenarios(exports);
  if (found.length > 0) return readScenarios(found, path);
  throw new UsageError(`Cannot use "${path}" as scenarios: it exports none`, {
    code: "no-export",
    hint: `Export a scenario, or a list of them; the module exports ${Object.keys(exports).join(", ") || "nothing"}`,
  });
}

/** Keys that only test cases have; objects of other tools may have a `name` too. */
const SAYS_SOMETHING = [
  ...["user_prompt", "persona", "says", "metrics", "judge", "includes", "excludes", "patterns", "matches"],
  ...["visits", "avoids", "ends", "extracts", "calls", "checks", "answers_within_ms"],
];

/** The scenarios among a module's exports, each once, as documents; a list that contains scenarios is taken whole. */
export function exportedScenarios(exports: JsonObject): readonly unknown[] {
  const all = Object.values(exports).flatMap((value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.some(isScenario) ? list : [];
  });
  return [...new Set(all)].map(plainScenario);
}

function readScenarios(value: unknown, path: string): readonly Scenario[] {
  try {
    return parseScenarios(value);
  } catch (error) {
    throw inFile(error, path);
  }
}

/** A built scenario, or a test case: an object with a name and a key that only scenarios have, even a misspelled one. */
function isScenario(source: unknown): boolean {
  const value = plainScenario(source);
  if (!isRecord(value) || typeof value.name !== "string" || "nodes" in value) return false;
  return Object.keys(value).some((key) => SAYS_SOMETHING.some((each) => each === key || isTypoOf(each, key)));
}
