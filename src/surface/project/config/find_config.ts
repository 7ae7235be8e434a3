import { lstatSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { errorCode } from "../../../base/values/mod.ts";

/** Names of a project's configuration, in the folder where `callweave` is started. */
const CONFIG_FILES = ["ts", "mts", "js", "mjs", "json"].map((extension) => `callweave.config.${extension}`);

/**
 * The configuration of a folder; `undefined` where there is none.
 *
 * @throws {UsageError} `invalid-config` for several.
 */
export function findConfig(folder: string): string | undefined {
  const found = CONFIG_FILES.map((name) => join(folder, name)).filter(isThere);
  const [first, second] = found;
  if (second === undefined) return first;
  throw new UsageError(`Cannot choose a configuration: "${first}" and "${second}" both exist`, {
    code: "invalid-config",
    hint: "Keep one of them",
  });
}

/** Whether a name is taken: a folder or a broken link is an error when it is read, not a project without configuration. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
