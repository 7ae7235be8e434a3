import type { Path } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import type { AgentGraph, VariableExtraction } from "./types.ts";

/**
 * Symbol of a compiled flow's definition: functions and declared variables, which a document cannot hold. The property
 * is not enumerable, so JSON, comparisons and copies omit it.
 */
export const DEFINITION: unique symbol = Symbol.for("callweave.definition");

/**
 * A function that implements a tool. It throws when the tool fails.
 *
 * @param args Arguments, validated against the tool's JSON Schema if it has one.
 */
export type ToolExecute = (args: JsonObject, options?: { readonly signal?: AbortSignal }) => unknown;

/** Parts of a flow that its document cannot hold. */
export interface GraphDefinition {
  /** The flow's name. */
  readonly name: string;
  /** All declared variables in order: extracted, filled by a tool, or given at call start. */
  readonly variables: readonly VariableExtraction[];
  /** Functions of tools with an `execute`, by tool name. */
  readonly tools: { readonly [name: string]: ToolExecute };
  /** Paths of references to environment variables. Default: none. */
  readonly references?: readonly { readonly name: string; readonly path: Path }[];
}

/** Attaches a definition to a graph and returns the graph. */
export function attachDefinition<Definition extends GraphDefinition>(
  graph: AgentGraph,
  definition: Definition,
): AgentGraph {
  return Object.defineProperty(graph, DEFINITION, { value: definition });
}

/** Returns the definition of a graph built in code; `undefined` for other graphs. */
export function definitionOf(graph: AgentGraph): GraphDefinition | undefined {
  return isRecord(graph) && DEFINITION in graph ? (graph[DEFINITION] as GraphDefinition) : undefined; // only attachDefinition sets it
}

/** Returns the agent's name: of the flow in code, else of the document. */
export function agentName(graph: AgentGraph): string | undefined {
  return definitionOf(graph)?.name ?? (graph.source_metadata.name || undefined);
}

/** Returns the tool functions of a graph by tool name, for `conversation(graph, { tools })`. */
export function toolImplementations(graph: AgentGraph): { readonly [name: string]: ToolExecute } {
  return definitionOf(graph)?.tools ?? {};
}
