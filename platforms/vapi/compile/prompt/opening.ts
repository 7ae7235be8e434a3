import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";

/** How an assistant starts to speak. */
export interface Start {
  readonly firstMessage?: string;
  readonly firstMessageMode: Vapi.CreateAssistantDtoFirstMessageMode;
}

/** How a member starts whenever the caller is handed to it: with fixed words, or with what its model makes of its prompt. */
export function startOf(node: AgentNode, context: EmitContext): Start {
  if (node.instruction_type === "static_text" && node.state_prompt !== "") {
    const firstMessage = emitText(node.state_prompt, ["nodes", node.id, "state_prompt"], context);
    return { firstMessage, firstMessageMode: "assistant-speaks-first" };
  }
  return { firstMessage: "", firstMessageMode: "assistant-speaks-first-with-model-generated-message" };
}

/** How a member starts: the first one as the graph opens its calls, any other as {@link startOf} says. */
export function openingOf(node: AgentNode, context: EmitContext): Start {
  const { begin_message: words, start_speaker: speaker } = context.graph.source_metadata;
  if (node.id !== context.graph.entry_node_id) return startOf(node, context);
  if (speaker === "user" || words === "") return { firstMessageMode: "assistant-waits-for-user" };
  if (!words) return startOf(node, context);
  const firstMessage = emitText(words, ["source_metadata", "begin_message"], context);
  return { firstMessage, firstMessageMode: "assistant-speaks-first" };
}
