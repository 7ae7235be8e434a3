import { canFuse, isStatic, speaks, type TurnMode } from "../engine/mod.ts";
import type { AgentNode, ToolDefinition } from "../graph/mod.ts";
import { endingOf } from "../turn/mod.ts";

/** Whether one call may decide and speak: not where a candidate has tools; of a way back the candidate is not known. */
export function fusing(mode: TurnMode, candidates: readonly AgentNode[], canGoBack: boolean): readonly boolean[] {
  if (mode !== "fused") return [false];
  if (!canFuse(candidates)) return [false];
  return canGoBack ? [true, false] : [true];
}

/** Whether a node first says its prompt word for word. */
export function saysPrompt(node: AgentNode): boolean {
  return isStatic(node) && speaks(node);
}

/** Whether nothing may be left of a prompt once its variables are filled in. */
export function canBeEmpty(prompt: string): boolean {
  return prompt.includes("{");
}

/** What is still to come when a tool ends the call: nothing, where there is such a tool. */
export function overBy(tools: readonly ToolDefinition[]): readonly number[] {
  return tools.some(endingOf) ? [0] : [];
}
