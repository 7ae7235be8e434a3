import type { AgentNode } from "../../src/graph/mod.ts";

/** Whether a node is passed through without a word. */
export const isSilent = (node: AgentNode) =>
  node.node_type === "logic" || node.node_type === "extract" || node.node_type === "function";

/** Whether a node ends the call. */
export const isTerminal = (node: Pick<AgentNode, "node_type">) =>
  node.node_type === "end" || node.node_type === "transfer";
