import type { ToolDefinition } from "../../document/graph/mod.ts";

/** Fields of a tool that a call needs. Only the name when the node has no tool of that name. */
export type CalledTool = Pick<ToolDefinition, "name" | "parameters" | "url" | "type">;
