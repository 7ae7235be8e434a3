import { type JsonObject, omit, pick } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { completeTool, ownKeys } from "../shared/mod.ts";
import type { LlmContext } from "./exits.ts";
import { callKeys } from "./schema.ts";

/** Required settings whose defaults are Retell's own, and the destination, which is reported for every format. */
const IMPLIED = ["transfer_option", "post_call_analysis_setting", "transfer_destination"];

/** Emits an end or transfer node as a tool. */
export function emitCall(node: AgentNode, name: string, description: string, context: LlmContext): JsonObject {
  const own = ownKeys(node);
  const transfer = own.type === "agent_swap" ? "agent_swap" : "transfer_call";
  const type = node.node_type === "end" ? "end_call" : transfer;
  const said = {
    ...{ type, name },
    ...(description === "" ? {} : { description }),
    ...message(node),
    ...pick(own, callKeys(type)),
  };
  const { tool, missing } = completeTool(said);
  for (const [key, value] of Object.entries(omit(missing, [...IMPLIED, ...Object.keys(said)]))) {
    const message = `Transfer "${node.id}" has no ${key}`;
    context.losses.add("tool-setting-missing", ["nodes", node.id], message, JSON.stringify(value));
  }
  loseParts(node, context);
  return { ...tool, ...said };
}

function message(node: AgentNode): JsonObject {
  if (node.state_prompt === "") return {};
  return {
    speak_during_execution: true,
    execution_message_description: node.state_prompt,
    ...(node.instruction_type ? { execution_message_type: node.instruction_type } : {}),
  };
}

/** Reports parts of a node that a tool does not support. After a failed transfer, the agent stays in the same state. */
function loseParts(node: AgentNode, { plan, losses }: LlmContext): void {
  const callers = plan.callers.get(node.id);
  for (const key of ["tools", "variables_to_extract"] as const) {
    const message = `"${node.id}" becomes a tool of the LLM, which cannot call tools or extract variables`;
    if (node[key].length > 0) losses.add("tools-dropped", ["nodes", node.id, key], message);
  }
  for (const [index, transition] of node.transitions.entries()) {
    const at = ["nodes", node.id, "transitions", index];
    const { type, outcome } = transition.condition;
    const failed = node.node_type === "transfer" && type === "tool_call" && outcome !== "succeeded";
    const goesBack = callers?.size === 1 && callers.has(transition.target_node_id) && !node.global_node_setting;
    const instead = "the agent stays in the state that called the tool";
    if (!failed) losses.add("transition-dropped", at, `"${node.id}" is a tool of the LLM, which has no transitions`);
    else if (!goesBack) {
      const message = `An LLM has no edge for a transfer that fails, such as that to "${transition.target_node_id}"`;
      losses.add("transfer-outcome", at, message, instead);
    }
  }
}
