import { resolve } from "node:path";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { settingKey } from "../../../document/settings/mod.ts";
import { configSchema, loadConfig, PROJECT_KEYS, type ProjectReader } from "../../project/mod.ts";
import type { ArgumentsSpec, Defaults } from "../arguments.ts";

/** Environment variables that override the configuration, by flag. */
const ENVIRONMENT: { readonly [flag: string]: string } = { model: "CALLWEAVE_MODEL", db: "CALLWEAVE_DB_URL" };

/**
 * Reads what a configuration file says for a command.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`, `module-failed`.
 */
export async function readConfig(
  path: string,
  { name, spec }: { readonly name: string; readonly spec: ArgumentsSpec },
  reader: Pick<ProjectReader, "env" | "readText">,
): Promise<Defaults> {
  const config = await loadConfig(path, configSchema({ [name]: spec.flags }), reader);
  const section = recordIn(config, settingKey(name));
  const flags = Object.keys(spec.flags).flatMap((flag) => {
    const variable = ENVIRONMENT[flag];
    const value = section[settingKey(flag)];
    return variable !== undefined && reader.env[variable] ? [] : entry(flag, value);
  });
  const agent = PROJECT_KEYS.flatMap((name) => {
    const flag = spec.flags[name]?.isOwn ? `source-${name}` : name;
    return spec.flags[flag] ? entry(flag, config[name]) : [];
  });
  const { source } = config;
  return {
    positionals: new Map(typeof source === "string" ? [["SOURCE", source]] : []),
    flags: (given) => new Map(isOwnSource(given.get("SOURCE"), source) ? [...agent, ...flags] : flags),
  };
}

/** Whether a command works on the agent of the configuration; for another agent, the configured scenarios are useless. */
function isOwnSource(given: string | undefined, source: unknown): boolean {
  return given === undefined || (typeof source === "string" && resolve(given) === resolve(source));
}

/** A flag with its values in the form of the command line. */
function entry(flag: string, value: unknown): readonly (readonly [string, readonly string[]])[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [[flag, []]];
  return [[flag, (Array.isArray(value) ? value : [value]).map(String)]];
}

function recordIn(record: JsonObject, key: string): JsonObject {
  const value = record[key];
  return isRecord(value) ? value : {};
}
