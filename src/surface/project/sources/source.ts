import { basename } from "node:path";
import { importAgent } from "../../../../platforms/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { inFile, readTextFile } from "../../../base/files/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { type AgentGraph, agentName, definitionOf, type Finding, parseGraph } from "../../../document/graph/mod.ts";
import type { ProjectReader } from "../reader.ts";
import { isModulePath, loadModule } from "./module.ts";

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
 * Loads an agent from a module that exports a graph, or from JSON of any format; `-` stands for the input of the reader.
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
  const text = path === "-" ? await input() : await readText(path);
  try {
    const { graph, format, findings } = importAgent(
      text,
      options.format === undefined ? {} : { format: options.format },
    );
    const name = path === "-" ? "stdin" : basename(path).replace(/(?:\.vt)?\.json$/, "");
    return { graph, name: agentName(graph) ?? name, format, findings, exports: {}, text };
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
