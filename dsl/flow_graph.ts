import type { AgentGraph, DEFINITION, GraphDefinition } from "../src/graph/mod.ts";
import type { Variables } from "./variables.ts";

/** A compiled flow: an AgentGraph whose type knows its ids, variables and tools, for scenarios to be checked by. */
export interface FlowGraph<NodeId extends string, Vars extends Variables, ToolName extends string> extends AgentGraph {
  readonly entry_node_id: NodeId;
  readonly [DEFINITION]: FlowDefinition<Vars, ToolName>;
}

/** What is kept beside a compiled flow. */
export interface FlowDefinition<Vars extends Variables, ToolName extends string> extends GraphDefinition {
  readonly declared: Vars;
  readonly toolNames: readonly ToolName[];
}
