import { resolve } from "node:path";
import * as v from "valibot";
import { type Issue, type Path, UsageError } from "../../errors.ts";
import { didYouMean, isRecord, type JsonObject } from "../../values/mod.ts";
import type { ArgumentsSpec, Defaults } from "../arguments/mod.ts";
import { parseJsonFile, readTextFile, type Terminal } from "../io/mod.ts";
import { AGENT_FLAGS, configKey, configSchema } from "./config_schema.ts";

/** Environment variables that come before the configuration, by flag. */
const ENVIRONMENT: { readonly [flag: string]: string } = { model: "CALLWEAVE_MODEL", db: "CALLWEAVE_DB_URL" };

/**
 * Reads what a configuration file says for a command.
 *
 * @param others Names of the other commands that have a section.
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`.
 */
export async function readConfig(
  path: string,
  { name, spec }: { readonly name: string; readonly spec: ArgumentsSpec },
  others: readonly string[],
  env: Terminal["env"],
): Promise<Defaults> {
  const document = parseJsonFile(path, await readTextFile(path));
  const config = checkedConfig(path, document, configSchema({ [name]: spec }, others));
  const section = recordIn(config, configKey(name));
  const flags = Object.keys(spec.flags).flatMap((flag) => {
    const variable = ENVIRONMENT[flag];
    const value = section[configKey(flag)];
    return variable !== undefined && env[variable] ? [] : entry(flag, value);
  });
  const agent = AGENT_FLAGS.flatMap((name) => {
    const flag = spec.flags[name]?.isOwn ? `source-${name}` : name;
    return spec.flags[flag] ? entry(flag, config[name]) : [];
  });
  const { source } = config;
  return {
    positionals: new Map(typeof source === "string" ? [["SOURCE", source]] : []),
    flags: (given) => new Map(isOwnSource(given.get("SOURCE"), source) ? [...agent, ...flags] : flags),
  };
}

/** Whether a command works on the agent of the configuration: its scenarios are of no use for another one. */
function isOwnSource(given: string | undefined, source: unknown): boolean {
  return given === undefined || (typeof source === "string" && resolve(given) === resolve(source));
}

/** A flag with its values as the command line would pass them. */
function entry(flag: string, value: unknown): readonly (readonly [string, readonly string[]])[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [[flag, []]];
  return [[flag, (Array.isArray(value) ? value : [value]).map(String)]];
}

function recordIn(record: JsonObject, key: string): JsonObject {
  const value = record[key];
  return isRecord(value) ? value : {};
}

function checkedConfig(path: string, document: unknown, schema: ReturnType<typeof configSchema>): JsonObject {
  if (isRecord(document) && v.is(schema, document)) return document;
  const issues = (v.safeParse(schema, document).issues ?? []).map((issue) => describe(issue, schema));
  const [first] = issues;
  throw new UsageError(`Cannot use "${path}": ${first?.message ?? "it is not an object"}`, {
    code: "invalid-config",
    path: first?.path ?? [],
    hint: first?.hint ?? 'Write an object, such as { "source": "flow.ts" }',
    issues,
  });
}

function describe(issue: v.BaseIssue<unknown>, schema: ReturnType<typeof configSchema>): Issue {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  const place = path.join(".");
  if (path.length === 0) {
    const hint = 'Write an object, such as { "source": "flow.ts" }';
    return { code: "invalid-config", path, message: "it is not an object", hint };
  }
  if (issue.expected === "never") {
    const hint = didYouMean(
      String(path.at(-1)),
      keysAt(schema, path),
      "Remove it; callweave COMMAND --help lists the flags",
    );
    return { code: "invalid-config", path, message: `"${place}" is unknown`, hint };
  }
  const message = `"${place}" should be ${issue.expected} but is ${issue.received}`;
  return { code: "invalid-config", path, message, hint: `Change it to ${issue.expected}` };
}

/** The keys that are known where an unknown one stands. */
function keysAt(schema: ReturnType<typeof configSchema>, path: Path): readonly string[] {
  const entries: JsonObject = schema.entries;
  if (path.length === 1) return Object.keys(entries);
  const section: unknown = entries[String(path[0])];
  const { wrapped } = isRecord(section) ? section : {};
  return isRecord(wrapped) && isRecord(wrapped.entries) ? Object.keys(wrapped.entries) : [];
}
