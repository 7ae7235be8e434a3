/** Data that the graph does not model, by owner, kept verbatim: `{ retell: {…}, vapi: {…} }`. */
export type Metadata = { readonly [owner: string]: unknown };

/** A JSON Schema, for example of a tool's parameters. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A voice agent. Flows compile to it, platform documents are imported into it, and calls run on it. */
export interface AgentGraph {
  /** Nodes by id. Global nodes are offered in the order of the keys. */
  readonly nodes: { readonly [id: string]: AgentNode };
  readonly entry_node_id: string;
  /** Origin of the graph: `custom` for code, else the name of a format. */
  readonly source_type: string;
  readonly source_metadata: SourceMetadata;
  /** Reusable prompt texts by name, used as `{%name%}`. */
  readonly snippets: { readonly [name: string]: string };
  /** A `provider/model` string or a platform's model name. */
  readonly default_model?: string | null;
}

/** The document that a graph was imported from. */
export interface OriginalDocument {
  /** Name of the format, such as `retell`. */
  readonly format: string;
  /** Its JSON text, verbatim. */
  readonly text: string;
}

/** Settings of the whole agent. Platform settings are under the platform's name. */
export interface SourceMetadata {
  /** The agent's name: the flow's in code, `agent_name` at Retell, the squad's or assistant's `name` at Vapi. */
  readonly name?: string | null;
  /** Instructions that all nodes share. */
  readonly general_prompt?: string | null;
  /** Spoken verbatim at the start. Empty: the caller speaks first. Absent: the entry node's prompt is used. */
  readonly begin_message?: string | null;
  readonly start_speaker?: "agent" | "user" | null;
  /** Default values of dynamic variables. */
  readonly default_dynamic_variables?: { readonly [name: string]: unknown } | null;
  /** Language of the calls as a BCP 47 tag, such as `en-US`, or `multi` for any that the platform supports. */
  readonly language?: string | null;
  /** Voice of the agent by platform: a voice id at Retell, provider and voice id at Vapi. */
  readonly voice?: { readonly [platform: string]: unknown } | null;
  /** Document that the graph was imported from; emitting writes changes into it. Not part of the fingerprint. */
  readonly original?: OriginalDocument | null;
  readonly [owner: string]: unknown;
}

/** The kinds of nodes; they differ in how a call passes them. */
export type NodeType = "conversation" | "logic" | "extract" | "end" | "transfer" | "function";

/** One state of the agent. */
export interface AgentNode {
  readonly id: string;
  readonly node_type: NodeType;
  readonly state_prompt: string;
  /** `static_text`: the prompt is spoken verbatim once after each entry. Default: `prompt`. */
  readonly instruction_type?: "prompt" | "static_text" | null;
  readonly tools: readonly ToolDefinition[];
  /** In order of precedence. */
  readonly transitions: readonly Transition[];
  readonly variables_to_extract: readonly VariableExtraction[];
  /** Makes the node global: it can be entered from every conversation node. */
  readonly global_node_setting?: GlobalNodeSetting | null;
  /** Destination of a transfer: a number (E.164), a SIP URI or a `{{variable}}`. */
  readonly transfer_to?: string | null;
  readonly metadata: Metadata;
}

/** How a call gets from one node to another: a target and a condition. */
export interface Transition {
  readonly target_node_id: string;
  readonly condition: TransitionCondition;
  readonly description?: string | null;
  /** When an `always` transition of a speaking node fires. Default: `after_speech`. */
  readonly timing?: "after_speech" | "skip_response" | "else" | null;
  readonly metadata?: Metadata | null;
}

/** When a transition fires. */
export interface TransitionCondition {
  readonly type: "llm_prompt" | "equation" | "tool_call" | "always";
  /** Text of an LLM condition. For a `tool_call` the tool's name, or empty for any tool. */
  readonly value: string;
  readonly equations?: readonly EquationClause[] | null;
  /** How equations combine. Default: `and`. */
  readonly logical_operator?: "and" | "or" | null;
  /** Outcome of a `tool_call`. Default: any. */
  readonly outcome?: "succeeded" | "failed" | null;
}

/** How an equation compares its sides. `exists` and `not_exist` have no right side. */
export type EquationOperator =
  | "=="
  | "!="
  | ">"
  | ">="
  | "<"
  | "<="
  | "contains"
  | "not_contains"
  | "exists"
  | "not_exist";

/** One comparison of a variable. */
export interface EquationClause {
  /** A variable's name, without braces. */
  readonly left: string;
  /** An {@link EquationOperator}. Unknown operators are kept and never match. */
  readonly operator: string;
  /** Text in which `{{name}}` is filled as in a prompt; without placeholders a literal, also where a variable has that name. */
  readonly right?: string | number | boolean | null;
}

/** A variable that an extract node fills from the conversation. */
export interface VariableExtraction {
  readonly name: string;
  readonly description: string;
  /** `string`, `number`, `boolean` or `enum`. Other platform types are kept and treated as `string`. */
  readonly type: string;
  /** Allowed values; any if empty. */
  readonly choices?: readonly string[] | null;
}

/** How a global node is entered and left. */
export interface GlobalNodeSetting {
  /** LLM condition of entry. */
  readonly condition: string;
  readonly go_back_conditions: readonly GoBackCondition[];
  readonly metadata?: Metadata | null;
}

/** When a global node returns to the node it was entered from. */
export interface GoBackCondition {
  readonly id: string;
  readonly condition: TransitionCondition;
}

/** A tool that the agent can call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. Without properties, the tool has no arguments. */
  readonly parameters?: JsonSchema | null;
  /** `custom`, `end_call`, `transfer_call`, … */
  readonly type?: string | null;
  readonly url?: string | null;
  readonly tool_id?: string | null;
  /** Variable → JSON path into the result, such as `$.order.status`. */
  readonly response_variables?: { readonly [variable: string]: string } | null;
  readonly metadata?: Metadata | null;
}
