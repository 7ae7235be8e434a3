import type { ConversationFlowCreateParams as Flow } from "retell-sdk/resources/conversation-flow";
import { type JsonObject, own } from "../../../src/values/mod.ts";
import { requiredDefaults, retellTables } from "../shared/mod.ts";
import { SLOTS, typeFacts, unknownFacts } from "./node_types.ts";

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
    ...(table.keys.includes("edges") ? { edges: [] } : {}),
    ...Object.fromEntries(SLOTS.filter((slot) => table.required.includes(slot)).map((slot) => [slot, {}])),
  };
}

/** The keys that emitting writes for a node of this type even where the graph says nothing. */
export function defaultKeys(type: string): readonly string[] {
  const facts = typeFacts(type) ?? unknownFacts(false);
  return [
    ...new Set([
      ...["type", ...Object.keys(emptyNode(type, "") ?? {})],
      ...(facts.slots.includes("edges") ? ["edges"] : []),
      ...facts.required,
      ...(facts.node_type === "end" || facts.node_type === "transfer" ? ["speak_during_execution"] : []),
    ]),
  ];
}
