import * as v from "valibot";
import { type Issue, type Path, UsageError } from "../../../base/errors.ts";
import { parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { didYouMean, isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { KEY_VARIABLES } from "../../../document/platforms/mod.ts";
import { type Environment, isModulePath, loadModule, type ProjectReader } from "../sources.ts";
import type { configSchema } from "./config_schema.ts";

type ConfigSchema = ReturnType<typeof configSchema>;

const EXAMPLE = 'Write an object, such as { "source": "flow.ts" }';

/**
 * Loads a configuration, JSON or the default export of a module, and checks it.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`, `module-failed`.
 */
export async function loadConfig(
  path: string,
  schema: ConfigSchema,
  { env, readText = readTextFile }: Pick<ProjectReader, "env" | "readText">,
): Promise<JsonObject> {
  const document = isModulePath(path) ? await exported(path, env) : parseJsonFile(path, await readText(path));
  if (isRecord(document) && v.is(schema, document)) return document;
  const issues = (v.safeParse(schema, document).issues ?? []).map((issue) => describe(issue, schema));
  const [first] = issues;
  throw new UsageError(`Cannot use "${path}": ${first?.message ?? "it is not an object"}`, {
    code: "invalid-config",
    path: first?.path ?? [],
    hint: first?.hint ?? EXAMPLE,
    issues,
  });
}

async function exported(path: string, env: Environment): Promise<unknown> {
  const { default: config } = await loadModule(path, env);
  if (config !== undefined) return config;
  throw new UsageError(`Cannot use "${path}": it has no default export`, {
    code: "invalid-config",
    hint: "Write export default defineConfig({ … })",
  });
}

function describe(issue: v.BaseIssue<unknown>, schema: ConfigSchema): Issue {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  const place = path.join(".");
  if (path.length === 0) return { code: "invalid-config", path, message: "it is not an object", hint: EXAMPLE };
  if (issue.type === "regex") {
    // without the value: somebody may have written a key in place of the variable's name
    const hint = `Write the variable's name, such as ${KEY_VARIABLES[0]}, and set the key in the environment`;
    return { code: "invalid-config", path, message: `"${place}" ${issue.message}`, hint };
  }
  if (issue.expected === "never") {
    const hint = didYouMean(
      String(path.at(-1)),
      keysAt(schema, path),
      "Remove it; callweave COMMAND --help lists the flags",
    );
    return { code: "invalid-config", path, message: `"${place}" is unknown`, hint };
  }
  if (issue.kind === "validation") {
    const message = `"${place}" is ${issue.received}`;
    return { code: "invalid-config", path, message, hint: `Change it to ${issue.message}` };
  }
  const message = `"${place}" should be ${issue.expected} but is ${issue.received}`;
  return { code: "invalid-config", path, message, hint: `Change it to ${issue.expected}` };
}

/** The keys that are allowed beside an unknown one. */
function keysAt(schema: ConfigSchema, path: Path): readonly string[] {
  const inside = path.slice(0, -1).reduce<unknown>((part, key) => below(part, String(key)), schema);
  return Object.keys(entriesOf(inside));
}

function below(schema: unknown, key: string): unknown {
  const entries = entriesOf(schema);
  return Object.hasOwn(entries, key) ? unwrapped(entries[key]) : unwrapped(isRecord(schema) ? schema.value : undefined);
}

function entriesOf(schema: unknown): JsonObject {
  const whole = unwrapped(schema);
  return isRecord(whole) && isRecord(whole.entries) ? whole.entries : {};
}

/** The schema behind one that makes it optional. */
function unwrapped(schema: unknown): unknown {
  return isRecord(schema) && schema.wrapped !== undefined ? unwrapped(schema.wrapped) : schema;
}
