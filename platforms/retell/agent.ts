import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import { isRecord, type JsonObject, omit } from "../../src/graph/mod.ts";

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
    ...(isFlowAgent(own) ? own : omit(own, ["response_engine"])),
  };
}

/** An agent that came with a prompt of another kind does not name this flow as its engine. */
function isFlowAgent({ response_engine: engine }: JsonObject): boolean {
  return isRecord(engine) && engine.type === "conversation-flow";
}
