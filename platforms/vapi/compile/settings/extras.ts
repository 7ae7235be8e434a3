import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { type JsonObject, recordAt } from "../../../../src/values/mod.ts";
import { carriedSettings, isOwnDocument, isWorkflow } from "./carried.ts";

/** What an author wants a member's assistant to have beside what is emitted: `metadata.vapi` of the node. */
export function extrasOfNode(graph: AgentGraph, node: AgentNode): JsonObject {
  if (isOwnDocument(graph)) return carriedSettings(graph, node, []);
  const kept = recordAt(node.metadata, "vapi");
  if (!isWorkflow(graph)) return kept;
  return { ...carriedSettings(graph, node, []), ...firstMessage(kept, node, graph) };
}

/** What an author wants a squad to have beside what is emitted: `source_metadata.vapi`. */
export function extrasOfGraph(graph: AgentGraph): JsonObject {
  const kept = recordAt(graph.source_metadata, "vapi");
  if (isOwnDocument(graph)) return {};
  // a workflow's settings are carried to each member; only a squad has these
  return isWorkflow(graph)
    ? kept.membersOverrides === undefined
      ? {}
      : { membersOverrides: kept.membersOverrides }
    : kept;
}

/** The fixed words of a workflow's node, which open it wherever it is entered. */
function firstMessage(raw: JsonObject, node: AgentNode, graph: AgentGraph): JsonObject {
  const words = recordAt(raw, "messagePlan").firstMessage;
  if (typeof words !== "string" || words === "" || node.id === graph.entry_node_id) return {};
  return { firstMessage: words, firstMessageMode: "assistant-speaks-first" };
}
