import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { type JsonObject, omit, own, recordAt, sameJson } from "../../../../src/values/mod.ts";
import { carriedSettings, isOwnDocument, isWorkflow } from "./carried.ts";

const OPENING_KEYS = ["firstMessage", "firstMessageMode"];

/** Settings of a member's assistant beside what is emitted: `metadata.vapi` of the node. */
export function extrasOfNode(graph: AgentGraph, node: AgentNode): JsonObject {
  if (isOwnDocument(graph)) return carriedSettings(graph, node, []);
  const kept = recordAt(node.metadata, "vapi");
  if (!isWorkflow(graph)) return kept;
  // the fixed words of a workflow's node open it wherever it is entered
  const words = recordAt(kept, "messagePlan").firstMessage;
  const isOpened = typeof words === "string" && words !== "" && node.id !== graph.entry_node_id;
  const opening = isOpened ? { firstMessage: words, firstMessageMode: "assistant-speaks-first" } : {};
  return { ...carriedSettings(graph, node, []), ...opening };
}

/** Settings of a squad beside what is emitted: `source_metadata.vapi`. A workflow's settings go to each member. */
export function extrasOfGraph(graph: AgentGraph): JsonObject {
  if (isOwnDocument(graph)) return {};
  const kept = recordAt(graph.source_metadata, "vapi");
  if (!isWorkflow(graph)) return kept;
  const shared = own(kept, "membersOverrides");
  return shared === undefined ? {} : { membersOverrides: shared };
}

/** Whether one assistant can speak for two nodes: their settings are the same, and the second one has no opening. */
export function hasSameSettings(graph: AgentGraph, node: AgentNode, target: AgentNode): boolean {
  const [first, second] = [extrasOfNode(graph, node), extrasOfNode(graph, target)];
  return !Object.hasOwn(second, "firstMessage") && sameJson(omit(first, OPENING_KEYS), omit(second, OPENING_KEYS));
}
