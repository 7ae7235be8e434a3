import { isRecord } from "../../../src/values/mod.ts";
import { brokenBody, missingEngine, openContainer } from "../shared/mod.ts";
import { typeFacts } from "./node_types.ts";

const FLOW_KEYS = [
  "conversation_flow_id",
  "conversation_flow_component_id",
  "start_node_id",
  "starting_node_id",
  "model_choice",
  "global_prompt",
];

/** How sure it is that a document is a conversation flow or a component of Retell's, in any container. */
export function detectRetell(document: unknown): number {
  const opened = openContainer(document);
  if (!opened) return brokenBody(document) === undefined && missingEngine(document) === undefined ? 0 : 0.5;
  if (opened.kind === "llm") return 0;
  const { body, agent } = opened;
  if (agent) return 1;
  if (FLOW_KEYS.some((key) => Object.hasOwn(body, key))) return 0.95;
  // other platforms have lists of nodes too, with the edges in a list beside them
  if (!Array.isArray(body.nodes) || Object.hasOwn(body, "edges")) return 0;
  const known = body.nodes.some((node) => isRecord(node) && typeof node.type === "string" && typeFacts(node.type));
  return known ? 0.8 : 0.3;
}
