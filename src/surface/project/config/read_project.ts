import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { didYouMean, errorCode, isRecord, type JsonObject } from "../../../base/values/mod.ts";
import type { ProjectReader } from "../sources.ts";
import { configSchema } from "./config_schema.ts";
import type { ConfiguredEnvironment } from "./environment_schema.ts";
import { loadConfig } from "./load_config.ts";

/** The project of a folder: its agent, scenarios and environments. */
export interface Project {
  /** Folder of the configuration, the lock file and `.callweave/`. */
  readonly folder: string;
  /** The agent, as a path from the current folder. */
  readonly source?: string;
  readonly exportName?: string;
  readonly from?: string;
  /** Files of the agent's scenarios, as paths from the current folder. */
  readonly scenarioFiles: readonly string[];
  /** Files of its policies. Without them, those that the agent's module exports count. */
  readonly policyFiles: readonly string[];
  readonly environments: { readonly [name: string]: ConfiguredEnvironment };
  /** The configuration's file. */
  readonly file?: string;
}

/**
 * Reads the project of a folder, which may have no configuration.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`, `module-failed`.
 */
export async function readProject(folder: string, reader: Pick<ProjectReader, "env" | "readText">): Promise<Project> {
  const file = findConfig(folder);
  if (file === undefined) return { folder, scenarioFiles: [], policyFiles: [], environments: {} };
  const config = await loadConfig(file, configSchema(), reader);
  const text = (key: string) => (typeof config[key] === "string" ? config[key] : undefined);
  const placed = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const [source, exportName, from] = [text("source"), text("export"), text("from")];
  return {
    folder,
    file,
    scenarioFiles: ["scenarios", "tests"].flatMap((key) => listOf(config[key]).map(placed)),
    policyFiles: listOf(config.policies).map(placed),
    environments: environmentsOf(config),
    ...(source === undefined ? {} : { source: placed(source) }),
    ...(exportName === undefined ? {} : { exportName }),
    ...(from === undefined ? {} : { from }),
  };
}

/** A path or a list of paths; the configuration's schema has checked them. */
function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === "string");
}

function environmentsOf({ environments }: JsonObject): Project["environments"] {
  // the configuration's schema has checked them
  return isRecord(environments) ? (environments as Project["environments"]) : {};
}

/**
 * The environment with a name, and its configuration. A project without configured environments accepts any
 * name.
 *
 * @throws {UsageError} `usage` for one that the configuration does not have.
 */
export function environmentNamed(
  { environments, file }: Project,
  name: string | undefined,
): { readonly name: string; readonly settings: ConfiguredEnvironment } {
  const known = Object.keys(environments);
  const wanted = name ?? "default";
  const settings = Object.hasOwn(environments, wanted) ? environments[wanted] : undefined;
  if (settings) return { name: wanted, settings };
  if (known.length === 0) return { name: wanted, settings: {} };
  const list = `Write --env ${known.join("|")}`;
  if (name === undefined)
    throw new UsageError("Cannot choose an environment: the configuration has several names and none was passed", {
      code: "usage",
      hint: list,
    });
  throw new UsageError(`Cannot deploy to "${name}": ${file ?? "the configuration"} has no such environment`, {
    code: "usage",
    hint: didYouMean(name, known, list),
  });
}

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
