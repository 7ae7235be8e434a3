import { GraphError } from "../errors.ts";
import { isRecord } from "./json.ts";
import { COMPILE_FIRST, isFlow, shown } from "./options.ts";
import { parseGraph } from "./parse.ts";
import type { AgentGraph } from "./types.ts";

/**
 * The graph that was passed to a function of the SDK, where plain JavaScript may pass anything: a graph as it is, the
 * very same object, and a document that leaves out what may be absent as `parseGraph` reads it.
 *
 * A graph is not read again: what its schema says beyond its shape, and that its targets exist, is not looked at.
 *
 * @param action For the message: "Cannot run scenarios".
 * @throws {GraphError} `not-a-graph` for what is none, such as a flow that is not compiled; for a document with faults
 *   what `parseGraph` throws.
 */
export function toGraph(value: unknown, action: string): AgentGraph {
  if (isGraph(value)) return value;
  if (!isFlow(value) && isRecord(value) && isRecord(value.nodes)) return parseGraph(value);
  throw new GraphError(`${action}: the graph is ${shown(value)}`, {
    code: "not-a-graph",
    hint: isFlow(value) ? COMPILE_FIRST : "Pass a compiled flow, or what parseGraph() or importAgent() gives",
  });
}

/** Whether a value has the shape of a graph that was compiled or read; costs a look at each node and edge. */
function isGraph(value: unknown): value is AgentGraph {
  return (
    isRecord(value) &&
    isRecord(value.nodes) &&
    typeof value.entry_node_id === "string" &&
    isRecord(value.source_metadata) &&
    isRecord(value.snippets) &&
    Object.values(value.nodes).every(isNode)
  );
}

function isNode(node: unknown): boolean {
  return (
    isRecord(node) &&
    typeof node.id === "string" &&
    typeof node.node_type === "string" &&
    typeof node.state_prompt === "string" &&
    isListOfRecords(node.tools) &&
    isListOfRecords(node.variables_to_extract) &&
    isRecord(node.metadata) &&
    Array.isArray(node.transitions) &&
    node.transitions.every(
      (edge: unknown) => isRecord(edge) && typeof edge.target_node_id === "string" && isRecord(edge.condition),
    )
  );
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}
