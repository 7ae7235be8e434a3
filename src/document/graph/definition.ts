import { createHash } from "node:crypto";
import type { Path } from "../../base/errors.ts";
import { canonicalJson, isRecord, type JsonObject } from "../../base/values/mod.ts";
import { withoutOriginal } from "./parse.ts";
import type { AgentGraph, VariableExtraction } from "./types.ts";

/** An example that shows a finding. */
export interface Witness {
  /** Ids of nodes that a call visits, in order. */
  readonly path?: readonly string[];
  /** Values of variables; a variable that is absent is not set. */
  readonly variables?: { readonly [name: string]: string };
}

/** A problem or note about a graph or platform document. */
export interface Finding {
  /** Stable and kebab-case. */
  readonly code: string;
  /** `error`: calls will fail. `warning`: calls may fail. `info`: no action needed. */
  readonly severity: "error" | "warning" | "info";
  readonly path: Path;
  readonly message: string;
  /** The replacement that is emitted for a feature that the platform does not support. */
  readonly instead?: string;
  /** One change that resolves the finding. */
  readonly hint?: string;
  readonly witness?: Witness;
}

/**
 * Hashes the meaning of a graph. Documents that differ only in key order, or in whether empty values are written, have
 * the same hash. Every change that affects calls or emitted documents changes it. The original document of an import
 * does not count, because the graph has its content.
 *
 * @returns 64 hexadecimal digits (SHA-256).
 */
export function fingerprint(graph: AgentGraph): string {
  return createHash("sha256")
    .update(canonicalJson(contentOf(graph)))
    .digest("hex");
}

/** The part of a document that its fingerprint covers: without the imported document and without empty values. */
export function contentOf(graph: AgentGraph): unknown {
  return withoutEmpty(withoutOriginal(graph));
}

/** Removes `null`, `undefined`, `[]` and `{}` from objects; list items stay. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

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
export type ToolExecute = (args: JsonObject, options?: ToolContext) => unknown;

/** What a tool's function gets besides its arguments. */
export interface ToolContext {
  /** Aborted when the tool takes too long, and when the call is over. */
  readonly signal?: AbortSignal;
  /** The tools' state in this call: the function reads and changes it. Each call has its own. */
  readonly state?: ToolState;
}

/** What the tools of a call work on, such as the orders of a shop. It holds JSON: texts, numbers, lists and objects. */
export interface ToolState {
  [key: string]: unknown;
}

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
