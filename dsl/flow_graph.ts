import type { PlatformVariable } from "../src/document/expressions/mod.ts";
import type { AgentGraph, DEFINITION, GraphDefinition } from "../src/document/graph/mod.ts";
import type { AnyTool } from "./tools.ts";
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

/** Declarations of a flow, which texts, equations and tools are checked against. */
export interface Declarations {
  readonly variables: Variables;
  readonly snippet: string;
  /** The union of the tools. */
  readonly tools: AnyTool;
  readonly tool: string;
  readonly placeholder: string;
}

/** Allowed contents of braces: `{{name}}` without its outer braces, and `{%name%}` without braces. */
export type Placeholder<Variable extends string, Snippet extends string> =
  | `{${Variable | PlatformVariable}`
  | `%${Snippet}%`;
