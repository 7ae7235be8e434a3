import type { ConversationFlowCreateParams as Flow } from "retell-sdk/resources/conversation-flow";
import { type JsonObject, own } from "../../../src/values/mod.ts";
import { requiredDefaults, retellTables } from "../shared/mod.ts";

/** One node of a conversation flow, as the SDK types it. */
export type RetellNode = Flow["nodes"][number];

/** What emitting writes for a node of which the graph says nothing but its type: the keys that Retell requires. */
export function emptyNode(type: string, id: string): JsonObject | undefined {
  const table = own(retellTables().nodes, type);
  if (!table) return undefined;
  const runs = table.keys.includes("wait_for_result");
  return {
    ...{ id, name: id, display_position: { x: 0, y: 0 }, type },
    ...requiredDefaults(table),
    ...(runs ? { speak_during_execution: false } : {}),
  };
}
