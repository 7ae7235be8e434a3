import { existsSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { importAgent } from "../../../platforms/mod.ts";
import { isCallweaveError, UsageError } from "../../base/errors.ts";
import { inFile, parseJsonFile, readExport, readTextFile } from "../../base/files/mod.ts";
import {
  errorCode,
  isRecord,
  isTypoOf,
  type JsonObject,
  readableError,
  startTimeLimit,
  thrownWords,
} from "../../base/values/mod.ts";
import { type AgentGraph, agentName, definitionOf, type Finding, parseGraph } from "../../document/graph/mod.ts";
import {
  inOneDialect,
  isPolicy,
  type Policy,
  parsePolicies,
  parseScenarios,
  plainScenario,
  type Scenario,
  VOICE_EXPECTATIONS,
} from "../../document/scenario/mod.ts";

/** The surroundings that a project is loaded in. A terminal is one, and so is a server with files of its own. */
export interface ProjectReader {
  readonly env: Environment;
  /** The text that the path `-` stands for. */
  readonly input: () => Promise<string>;
  /** Reads the text of a JSON file; modules are imported by the runtime. Default: from disk. */
  readonly readText?: (path: string) => Promise<string>;
  /** Called with each warning about a file, one line. */
  readonly warn: (warning: string) => void;
}

/** Values of environment variables. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

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
  ...[
    "visits",
    "avoids",
    "ends",
    "extracts",
    "calls",
    "checks",
    "answers_within_ms",
    "each_reply",
    "tool_state",
    "end_state",
  ],
  ...VOICE_EXPECTATIONS.map(({ key }) => key),
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

/** A loaded agent, and its source. */
export interface AgentSource {
  readonly graph: AgentGraph;
  /** The agent's name, else the file's. */
  readonly name: string;
  /** `code`, or the format that it was imported from. */
  readonly format: string;
  /** Findings of the import; empty for modules. */
  readonly findings: readonly Finding[];
  /** The module's exports; empty for JSON. */
  readonly exports: { readonly [name: string]: unknown };
  /** The JSON as it was read; absent for modules. */
  readonly text?: string;
}

/** Options of {@link loadSource}. */
export interface SourceOptions {
  /** Name of the module's export. */
  readonly exportName?: string | undefined;
  /** Format of a JSON source; detected from its keys by default. */
  readonly format?: string | undefined;
}

/**
 * Loads an agent from a module that exports a graph, from a document of any format, or from an exported folder,
 * archive or workbook; `-` stands for the input of the reader.
 *
 * @throws {UsageError} `unreadable-file`, `module-failed`, `no-export`.
 * @throws {PlatformError} If the JSON is not an agent.
 */
export async function loadSource(
  path: string,
  { env, input, readText = readTextFile }: Pick<ProjectReader, "env" | "input" | "readText">,
  options: SourceOptions = {},
): Promise<AgentSource> {
  if (isModulePath(path)) {
    const exports = await loadModule(path, env);
    const { graph, name } = pickGraph(path, exports, options.exportName);
    return { graph, name: agentName(graph) ?? name, format: "code", findings: [], exports };
  }
  const packed = path === "-" || readText !== readTextFile ? undefined : await readExport(path);
  const text = packed ? undefined : path === "-" ? await input() : await readText(path);
  try {
    const { graph, format, findings } = importAgent(
      packed ?? text,
      options.format === undefined ? {} : { format: options.format },
    );
    const name = path === "-" ? "stdin" : basename(path).replace(/(?:\.vt)?\.json$|\.ya?ml$|\.zip$|\.xlsx$/, "");
    return {
      graph,
      name: agentName(graph) ?? name,
      format,
      findings,
      exports: {},
      ...(text === undefined ? {} : { text }),
    };
  } catch (error) {
    throw inFile(error, path === "-" ? "stdin" : path);
  }
}

function pickGraph(path: string, exports: AgentSource["exports"], wanted: string | undefined) {
  const found = Object.entries(exports).filter(([, value]) => isGraph(value));
  const named = wanted === undefined ? found : found.filter(([name]) => name === wanted);
  const distinct = new Set(named.map(([, value]) => value));
  const [first] = named;
  if (first && distinct.size === 1) return { name: first[0], graph: readGraph(first[1], path) };

  const names = (list: readonly (readonly [string, unknown])[]) => list.map(([name]) => name).join(", ");
  const flows = Object.entries(exports).filter(([, value]) => isFlow(value));
  const state = [
    found.length === 0 ? "it exports no graph" : "",
    found.length > 0 && wanted !== undefined ? `it exports no graph "${wanted}"` : "",
    found.length > 1 && wanted === undefined ? `it exports several graphs (${names(found)})` : "",
  ].find(Boolean);
  let hint = `Name one: --export ${found[0]?.[0]}`;
  if (found.length > 0 && wanted !== undefined) hint = `Name one of its exports: ${names(found)}`;
  else if (flows.length > 0) hint = `Export the compiled flow: "${names(flows)}" is a builder, call .compile() on it`;
  else if (found.length === 0) {
    hint = `Export a compiled flow; the module exports ${names(Object.entries(exports)) || "nothing"}`;
  }
  throw new UsageError(`Cannot use "${path}" as an agent: ${state}`, { code: "no-export", hint });
}

/**
 * The names under which a module exports graphs, each graph once; `undefined` for a document, which is one.
 *
 * @throws {UsageError} `unreadable-file`, `module-failed`, `usage`.
 */
export async function graphsIn(path: string, env: Environment): Promise<readonly string[] | undefined> {
  if (!isModulePath(path)) return undefined;
  const found = new Map<unknown, string>();
  for (const [name, value] of Object.entries(await loadModule(path, env)))
    if (isGraph(value) && !found.has(value)) found.set(value, name);
  return [...found.values()];
}

/** Name under which a module exports its graph, for a module that imports it; `undefined` if there is none to import. */
export function flowExport({ exports, graph }: Pick<AgentSource, "exports" | "graph">): string | undefined {
  const graphs = Object.entries(exports).filter(([, value]) => isRecord(value) && isRecord(value.nodes));
  const [name] = graphs.find(([, value]) => value === graph) ?? graphs[0] ?? [];
  return name === undefined || RESERVED.includes(name) ? undefined : name;
}

/** Names that a module of scenarios uses itself, or cannot import. */
const RESERVED: readonly string[] = ["default", "scenario", "scenarios", "runAsProgram"];

/** How a file imports a module. */
export function importPath(file: string, module: string): string {
  const from = relative(dirname(resolve(file)), resolve(module)).replaceAll("\\", "/");
  return from.startsWith(".") ? from : `./${from}`;
}

function isGraph(value: unknown): boolean {
  return isRecord(value) && isRecord(value.nodes) && typeof value.entry_node_id === "string";
}

function isFlow(value: unknown): boolean {
  return isRecord(value) && "compile" in value && typeof value.compile === "function";
}

/** Returns a compiled flow unchanged, because its functions are attached to it. Other objects are parsed as documents. */
function readGraph(value: unknown, path: string): AgentGraph {
  try {
    const parsed = parseGraph(value);
    const graph = value as AgentGraph; // parseGraph() has just read it
    return definitionOf(graph) ? graph : parsed;
  } catch (error) {
    throw inFile(error, path);
  }
}

/** Whether a path is that of a module, by its extension. */
export function isModulePath(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Loads a JavaScript or TypeScript module. Bun, Deno and Node from 22.18 on read TypeScript themselves; for older
 * versions of Node, `jiti` compiles it. Loading times out after 60 s, or after `CALLWEAVE_LOAD_SECONDS`.
 *
 * @throws {UsageError} `unreadable-file`, `module-failed`, `usage`.
 */
export async function loadModule(path: string, env: Environment): Promise<JsonObject> {
  const file = resolve(path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    const state = existsSync(file) ? "it is a folder" : "the file does not exist";
    throw new UsageError(`Cannot read "${path}": ${state}`, { code: "unreadable-file", hint: "Check the path" });
  }
  const url = pathToFileURL(file).href;
  const seconds = loadSeconds(env);
  try {
    return await inTime(path, importModule(url), seconds);
  } catch (thrown) {
    const error = readableError(thrown);
    if (isCallweaveError(error)) throw inFile(error, path);
    throw new UsageError(`Cannot load "${path}": ${messageOf(error)}`, {
      code: "module-failed",
      hint: hintFor(error),
      cause: error,
    });
  }
}

const DEFAULT_LOAD_SECONDS = 60;
/** Timers of the runtimes are limited to about three weeks. */
const MOST_LOAD_SECONDS = 86_400;

function loadSeconds({ CALLWEAVE_LOAD_SECONDS: text = "" }: Environment): number {
  if (text.trim() === "") return DEFAULT_LOAD_SECONDS;
  const seconds = Number(text);
  if (seconds > 0 && seconds <= MOST_LOAD_SECONDS) return seconds;
  throw new UsageError(`Cannot load modules: CALLWEAVE_LOAD_SECONDS is "${text}"`, {
    code: "usage",
    hint: `Pass a number of seconds, at most ${MOST_LOAD_SECONDS}`,
  });
}

/** Loads the module with a time limit: Bun and Deno would wait forever for a top-level await that never settles. */
async function inTime(path: string, loading: Promise<JsonObject>, seconds: number): Promise<JsonObject> {
  using limit = startTimeLimit(seconds * 1000);
  try {
    return await limit.until(loading);
  } catch (error) {
    if (!limit.expired()) throw error;
    throw new UsageError(`Cannot load "${path}": loading timed out after ${seconds} s`, {
      code: "module-failed",
      hint: "Check for a top-level await that never settles, or raise CALLWEAVE_LOAD_SECONDS",
    });
  }
}

async function importModule(url: string): Promise<JsonObject> {
  try {
    return await import(url);
  } catch (error) {
    if (!readsNoTypeScript(error)) throw error;
    const { createJiti } = await import("jiti");
    // no cache on disk: a flow may contain private data, which must not be left in a temporary folder
    return await createJiti(import.meta.url, { fsCache: false, interopDefault: false, tryNative: false }).import(url);
  }
}

function readsNoTypeScript(error: unknown): boolean {
  return errorCode(error) === "ERR_UNKNOWN_FILE_EXTENSION";
}

/** Messages of Node and tsx for a module that is treated as CommonJS because of the nearest package.json. */
function isReadAsCommonJs(error: unknown): boolean {
  if (errorCode(error) === "ERR_REQUIRE_CYCLE_MODULE") return true;
  return /import statement outside a module|Unexpected token 'export'|["']cjs["'] output format/.test(messageOf(error));
}

/** The first of several errors: Bun wraps syntax errors in one whose message only counts them. */
function messageOf(error: unknown): string {
  const first: unknown = isRecord(error) && Array.isArray(error.errors) ? error.errors[0] : error;
  return isRecord(first) && typeof first.message === "string" ? first.message : thrownWords(error);
}

function hintFor(error: unknown): string {
  if (isReadAsCommonJs(error)) return 'Set "type": "module" in package.json, or name the module .mts';
  if (error instanceof SyntaxError || /SyntaxError|Transform failed|Unexpected|Expected/.test(messageOf(error))) {
    return "Fix the module's syntax";
  }
  const code = errorCode(error);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return "Install what the module imports, or check its import paths";
  return "Fix the module so that it can be imported";
}
