import type { Path } from "../errors.ts";
import { isRecord, type JsonObject } from "../values/mod.ts";
import type { AgentGraph, VariableExtraction } from "./types.ts";

/**
 * Where a graph that was written in code keeps what a document cannot: functions, and the variables it declared. No
 * JSON has it, no comparison and no copy sees it, because a symbol's property that is not enumerable is neither
 * written, compared nor spread.
 */
export const DEFINITION: unique symbol = Symbol.for("callweave.definition");

/**
 * What answers a call of a tool: the arguments the model gave in, the result out. It fails by throwing.
 *
 * @param args As the tool's parameters describe them; not checked unless the tool's schema does.
 */
export type ToolExecute = (args: JsonObject, options?: { readonly signal?: AbortSignal }) => unknown;

/** What the code that a graph was written in knows beside the document. */
export interface GraphDefinition {
  /** The flow's name. */
  readonly name: string;
  /** Every declared variable, in the order of declaration: extracted, filled by a tool, or given at call start. */
  readonly variables: readonly VariableExtraction[];
  /** What answers the tools that have an `execute`, by name. */
  readonly tools: { readonly [name: string]: ToolExecute };
  /** Where the code refers to variables of the environment. Absent: nowhere. */
  readonly references?: readonly { readonly name: string; readonly path: Path }[];
}

/** The graph with its definition beside it; the document is the same object's. */
export function attachDefinition<Definition extends GraphDefinition>(
  graph: AgentGraph,
  definition: Definition,
): AgentGraph {
  return Object.defineProperty(graph, DEFINITION, { value: definition });
}

/** What was kept beside a graph that was written in code; `undefined` for every other graph. */
export function definitionOf(graph: AgentGraph): GraphDefinition | undefined {
  return isRecord(graph) && DEFINITION in graph ? (graph[DEFINITION] as GraphDefinition) : undefined; // only attachDefinition sets it
}

/** What the agent is called: the flow's name in code, else the document's; `undefined`: it has none. */
export function agentName(graph: AgentGraph): string | undefined {
  return definitionOf(graph)?.name ?? (graph.source_metadata.name || undefined);
}

/** The functions that answer a graph's tools, by tool name, as `conversation(graph, { tools })` takes them. */
export function toolImplementations(graph: AgentGraph): { readonly [name: string]: ToolExecute } {
  return definitionOf(graph)?.tools ?? {};
}
