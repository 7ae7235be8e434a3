import type { JsonObject } from "../../../base/values/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { SECTIONS } from "./sections.ts";

/**
 * Reads a whole configuration, for commands without a section.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`, `module-failed`.
 */
export async function loadProject(path: string, env: Terminal["env"]): Promise<JsonObject> {
  const [{ loadConfig }, { configSchema }] = await Promise.all([
    import("./load_config.ts"),
    import("./config_schema.ts"),
  ]);
  return await loadConfig(path, configSchema({}, SECTIONS), env);
}
