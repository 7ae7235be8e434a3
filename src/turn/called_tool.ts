import type { ToolDefinition } from "../graph/mod.ts";

/** Fields of a tool that a call needs. Only the name when the node has no tool of that name. */
export type CalledTool = Pick<ToolDefinition, "name" | "parameters" | "url" | "type">;

/** Returns the end reason of a tool that ends the call; `undefined` for every other tool. */
export function endingOf({ type }: CalledTool): "agent_ended" | "agent_transferred" | undefined {
  if (type === "end_call") return "agent_ended";
  return type === "transfer_call" ? "agent_transferred" : undefined;
}
