import type { AgentGraph, DEFINITION, GraphDefinition } from "../src/document/graph/mod.ts";
import type { AnyTool } from "./tools/mod.ts";
import type { Variables } from "./variables.ts";

/** A compiled flow: an AgentGraph whose type knows its ids, variables and tools. Scenarios are checked against them. */
export interface FlowGraph<NodeId extends string, Vars extends Variables, OneTool extends AnyTool> extends AgentGraph {
  readonly entry_node_id: NodeId;
  readonly [DEFINITION]: FlowDefinition<Vars, OneTool>;
}

/** Definition kept with a compiled flow. */
export interface FlowDefinition<Vars extends Variables, OneTool extends AnyTool> extends GraphDefinition {
  readonly declared: Vars;
  readonly toolNames: readonly OneTool["name"][];
  /** For the compiler only. */
  readonly "~tools"?: OneTool;
}
