import type { TurnMode } from "../engine/mod.ts";
import type { AgentNode, ToolDefinition } from "../graph/mod.ts";
import { endingOf } from "../turn/mod.ts";

/** Whether one call may decide and speak: not where a candidate has tools; of a way back the candidate is not known. */
export function fusing(mode: TurnMode, candidates: readonly AgentNode[], canGoBack: boolean): readonly boolean[] {
  if (mode !== "fused") return [false];
  const plain = candidates.every(({ node_type: type, tools }) => type === "function" || tools.length === 0);
  if (!plain) return [false];
  return canGoBack ? [true, false] : [true];
}

/** Whether a node first says its prompt to the letter. */
export function isStatic({ instruction_type: type, state_prompt: prompt }: AgentNode): boolean {
  return type === "static_text" && prompt.trim() !== "";
}

/** Whether nothing may be left of a prompt once its variables are filled in. */
export function canBeEmpty({ state_prompt: prompt }: AgentNode): boolean {
  return prompt.includes("{");
}

/** What is still to come when a tool ends the call: nothing, where there is such a tool. */
export function overBy(tools: readonly ToolDefinition[]): readonly number[] {
  return tools.some(endingOf) ? [0] : [];
}

/** Whether a node ends the call without a word. */
export function isOverAtOnce(node: AgentNode): boolean {
  return (node.node_type === "end" || node.node_type === "transfer") && !speaks(node);
}

/** Whether a node that ends the call says something first. */
export function speaks({ state_prompt: prompt }: AgentNode): boolean {
  return prompt.trim() !== "";
}
