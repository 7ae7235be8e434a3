import { type AgentGraph, type AgentNode, isRecord, type JsonObject, omit } from "../../src/graph/mod.ts";

/** Formats that keep their own document under `metadata.vapi`, in which it is no wish of an author. */
const OWN_DOCUMENTS = ["vapi-squad", "vapi-assistant"];
/** The key under which the workflow format keeps what it read. */
export const WORKFLOW_KEY = "workflow";

/** What an author wants a member's assistant to have beside what is emitted: `metadata.vapi` of the node. */
export function extrasOfNode(graph: AgentGraph, node: AgentNode): JsonObject {
  const kept = node.metadata.vapi;
  if (!isRecord(kept) || OWN_DOCUMENTS.includes(graph.source_type)) return {};
  return omit(kept, [WORKFLOW_KEY]);
}

/** What an author wants a squad to have beside what is emitted: `source_metadata.vapi`. */
export function extrasOfGraph(graph: AgentGraph): JsonObject {
  const kept = graph.source_metadata.vapi;
  if (!isRecord(kept) || OWN_DOCUMENTS.includes(graph.source_type)) return {};
  return omit(kept, [WORKFLOW_KEY]);
}
