import type { ToolDefinition } from "../graph/mod.ts";

/** The parts of a tool that a call needs. For a name that the node has no tool for, only the name. */
export type CalledTool = Pick<ToolDefinition, "name" | "parameters" | "url" | "type">;

/** How a tool that ends the call ends it; `undefined` for every other tool. */
export function endingOf({ type }: CalledTool): "agent_ended" | "agent_transferred" | undefined {
  if (type === "end_call") return "agent_ended";
  return type === "transfer_call" ? "agent_transferred" : undefined;
}
