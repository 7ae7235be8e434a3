import type { TurnMode } from "../../../call/engine/mod.ts";
import {
  type AgentNode,
  canFuse,
  endingOf,
  isStatic,
  speaks,
  type ToolDefinition,
} from "../../../document/graph/mod.ts";

/**
 * Returns whether a turn's model call can be fused. It cannot when a candidate has tools; with a go-back the next node
 * is unknown, so both are possible.
 */
export function fusing(mode: TurnMode, candidates: readonly AgentNode[], canGoBack: boolean): readonly boolean[] {
  if (mode !== "fused") return [false];
  if (!canFuse(candidates)) return [false];
  return canGoBack ? [true, false] : [true];
}

/** Whether a node says its prompt word for word first. */
export function saysPrompt(node: AgentNode): boolean {
  return isStatic(node) && speaks(node);
}

/** Whether a prompt may be empty after its variables are replaced. */
export function canBeEmpty(prompt: string): boolean {
  return prompt.includes("{");
}

/** Returns `[0]` when one of the tools can end the call, else an empty list. */
export function overBy(tools: readonly ToolDefinition[]): readonly number[] {
  return tools.some(endingOf) ? [0] : [];
}
