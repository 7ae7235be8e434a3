import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import type { JsonObject } from "../../src/graph/mod.ts";

/**
 * The agent around a flow that was written in code, as the dashboard exports one. Its ids are the dashboard's to give.
 *
 * @param own What `source_metadata.retell.agent` says of it.
 */
export function dashboardAgent(flow: ConversationFlowCreateParams, own: JsonObject = {}): JsonObject {
  const { version = 0, conversation_flow_id: id = "" }: JsonObject = { ...flow };
  return {
    agent_id: "",
    channel: "voice",
    agent_name: "Conversation Flow Agent",
    response_engine: { type: "conversation-flow", version, conversation_flow_id: id },
    language: "en-US",
    voice_id: "retell-Cimo",
    version,
    is_published: false,
    ...own,
  };
}
