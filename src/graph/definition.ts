import type { Path } from "../errors.ts";
import { isRecord, type JsonObject } from "../values/mod.ts";
import type { AgentGraph, VariableExtraction } from "./types.ts";

/**
 * The symbol under which a compiled flow keeps what a document cannot hold: functions and declared variables. The
 * property is not enumerable, so JSON, comparisons and copies leave it out.
 */
export const DEFINITION: unique symbol = Symbol.for("callweave.definition");

/**
 * A function that implements a tool. It throws to report a failure.
 *
 * @param args Arguments, validated against the JSON Schema of the tool, if it has one.
 */
export type ToolExecute = (args: JsonObject, options?: { readonly signal?: AbortSignal }) => unknown;

/** The parts of a flow that its document cannot hold. */
export interface GraphDefinition {
  /** The flow's name. */
  readonly name: string;
  /** Every declared variable, in the order of declaration: extracted, filled by a tool, or given at call start. */
  readonly variables: readonly VariableExtraction[];
  /** Functions of the tools with an `execute`, by name. */
  readonly tools: { readonly [name: string]: ToolExecute };
  /** Places that refer to environment variables. Absent: none. */
  readonly references?: readonly { readonly name: string; readonly path: Path }[];
}

/** Adds a definition to a graph, which it returns. */
export function attachDefinition<Definition extends GraphDefinition>(
  graph: AgentGraph,
  definition: Definition,
): AgentGraph {
  return Object.defineProperty(graph, DEFINITION, { value: definition });
}

/** The definition of a graph that was written in code; `undefined` for every other graph. */
export function definitionOf(graph: AgentGraph): GraphDefinition | undefined {
  return isRecord(graph) && DEFINITION in graph ? (graph[DEFINITION] as GraphDefinition) : undefined; // only attachDefinition sets it
}

/** The name of the agent: of the flow in code, else of the document. */
export function agentName(graph: AgentGraph): string | undefined {
  return definitionOf(graph)?.name ?? (graph.source_metadata.name || undefined);
}

/** The functions that answer a graph's tools, by tool name, as `conversation(graph, { tools })` takes them. */
export function toolImplementations(graph: AgentGraph): { readonly [name: string]: ToolExecute } {
  return definitionOf(graph)?.tools ?? {};
}
