import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { OWNER } from "./keep.ts";

/** What the dashboard calls agents that nobody has named. */
export const UNNAMED = { flow: "Conversation Flow Agent", single: "Single-Prompt Agent", multi: "Multi-State Agent" };

/** The name that an agent was given, as the graph's source metadata has it. */
export function readName(agent: JsonObject | undefined): { readonly name?: string } {
  const name = agent?.agent_name;
  return typeof name === "string" && !Object.values(UNNAMED).includes(name) ? { name } : {};
}

/**
 * The agent around a flow that was written in code, as the dashboard exports one. Its ids are the dashboard's to give.
 *
 * @param name The agent's name.
 * @param own What `source_metadata.retell.agent` says of it.
 */
export function dashboardAgent(
  flow: ConversationFlowCreateParams,
  name: string | null | undefined,
  own: JsonObject = {},
): JsonObject {
  const { version = 0, conversation_flow_id: id = "" }: JsonObject = { ...flow };
  return {
    agent_id: "",
    channel: "voice",
    agent_name: name || UNNAMED.flow,
    response_engine: { type: "conversation-flow", version, conversation_flow_id: id },
    language: "en-US",
    voice_id: "retell-Cimo",
    version,
    is_published: false,
    ...(isFlowAgent(own) ? own : omit(own, ["response_engine"])),
  };
}

/**
 * What a graph has of its agent's settings. An imported agent is called by the graph's name, which may have been edited;
 * in code a name given in the `retell` option is meant for Retell alone.
 */
export function ownAgent({ source_metadata: source, source_type: type }: AgentGraph): JsonObject | undefined {
  const settings = source[OWNER];
  const agent = isRecord(settings) ? settings.agent : undefined;
  if (!isRecord(agent)) return undefined;
  return source.name && type !== "custom" ? { ...agent, agent_name: source.name } : agent;
}

/** An agent that came with a prompt of another kind does not name this flow as its engine. */
function isFlowAgent({ response_engine: engine }: JsonObject): boolean {
  return isRecord(engine) && engine.type === "conversation-flow";
}
