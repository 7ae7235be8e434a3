import type { ConversationFlowCreateParams as Flow } from "retell-sdk/resources/conversation-flow";
import { typeFacts, unknownFacts } from "./node_types.ts";

/** One node of a conversation flow, as the SDK types it. */
export type RetellNode = Flow["nodes"][number];

/** What emitting writes for a node of which the graph says nothing but its type: what Retell requires, by its defaults. */
export function emptyNode(type: string, id: string): RetellNode | undefined {
  const common = { id, name: id, display_position: { x: 0, y: 0 } };
  const prompt = { type: "prompt" as const, text: "" };
  const runs = { wait_for_result: true, speak_during_execution: false, edges: [] };
  switch (type) {
    case "conversation":
    case "subagent":
    case "press_digit":
      return { ...common, type, instruction: prompt, edges: [] };
    case "function":
      return { ...common, ...runs, type, tool_id: "", tool_type: "local" };
    case "code":
      return { ...common, ...runs, type, code: "" };
    case "mcp":
      return { ...common, ...runs, type, mcp_id: "", mcp_tool_name: "" };
    case "sms":
      return { ...common, type, instruction: prompt, success_edge: edge("sent"), failed_edge: edge("failed") };
    case "branch":
      return { ...common, type, edges: [], else_edge: edge("else") };
    case "component":
      return { ...common, type, component_id: "", component_type: "local", edges: [], else_edge: edge("else") };
    case "extract_dynamic_variables":
      return { ...common, type, variables: [], edges: [] };
    case "transfer_call":
      return {
        ...common,
        type,
        transfer_destination: { type: "predefined", number: "" },
        transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
        edge: edge("failed"),
      };
    case "agent_swap":
      return { ...common, type, agent_id: "", post_call_analysis_setting: "both_agents", edge: edge("failed") };
    case "bridge_transfer":
    case "cancel_transfer":
    case "end":
      return { ...common, type };
    default:
      return undefined;
  }
}

/** Only says that there is one: emitting gives it its own id and the literal that its slot demands. */
function edge(id: string) {
  return { id, transition_condition: { type: "prompt" as const, prompt: "" } };
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
