import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { VOICE_WORDS } from "../platforms/mod.ts";

function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  return withoutLists(v.looseObject(entries));
}

/** An object with any keys. */
export const PlainObject = object({});
const metadata = v.nullish(PlainObject);
const text = v.nullish(v.string());

const EquationClause = object({
  left: v.pipe(v.string(), v.description("Name of the variable, without braces")),
  operator: v.pipe(
    v.string(),
    v.description("One of == != > >= < <= contains not_contains exists not_exist; any other never holds"),
  ),
  right: v.pipe(
    v.nullish(v.union([v.string(), v.number(), v.boolean()])),
    v.description(
      "Text in which {{name}} is filled as in a prompt; without placeholders a literal, also where a variable has that name",
    ),
  ),
});

const TransitionCondition = object({
  type: v.picklist(["llm_prompt", "equation", "tool_call", "always"]),
  value: v.pipe(
    text,
    v.description("llm_prompt: what must be true, in words; tool_call: the tool's name, or empty for any tool"),
  ),
  equations: v.nullish(v.array(EquationClause)),
  logical_operator: v.nullish(v.picklist(["and", "or"])),
  outcome: v.pipe(
    v.nullish(v.picklist(["succeeded", "failed"])),
    v.description("Outcome that a tool_call waits for. Default: any"),
  ),
});

const Transition = object({
  target_node_id: v.pipe(v.string(), v.description("Id of the node that is entered")),
  condition: TransitionCondition,
  description: text,
  timing: v.pipe(
    v.nullish(v.picklist(["after_speech", "skip_response", "else"])),
    v.description("When an always transition of a speaking node fires. Default: after_speech"),
  ),
  metadata,
});

const VariableExtraction = object({
  name: v.string(),
  description: text,
  type: v.pipe(text, v.description("string, number, boolean or enum. Default: string")),
  choices: v.nullish(v.array(v.string())),
});

const GoBackCondition = object({ id: text, condition: TransitionCondition });

const GlobalNodeSetting = object({
  condition: v.pipe(text, v.description("When the node is entered, from any conversation node")),
  go_back_conditions: v.nullish(v.array(GoBackCondition)),
  metadata,
});

const ToolDefinition = object({
  name: v.string(),
  description: text,
  parameters: v.pipe(v.nullish(PlainObject), v.description("JSON Schema of the arguments")),
  type: text,
  url: text,
  tool_id: text,
  response_variables: v.pipe(
    v.nullish(withoutLists(v.record(v.string(), v.string()))),
    v.description("JSON path into the result by variable, such as $.order.status"),
  ),
  metadata,
});

/** A node in a document. Lists and most texts are optional. */
export const NodeDocument = object({
  id: v.pipe(text, v.description("The node's key in nodes. Default: that key")),
  node_type: v.pipe(
    v.nullish(v.picklist(["conversation", "logic", "extract", "end", "transfer", "function"])),
    v.description("Default, for older documents: inferred from the transitions"),
  ),
  state_prompt: text,
  instruction_type: v.nullish(v.picklist(["prompt", "static_text"])),
  tools: v.nullish(v.array(ToolDefinition)),
  transitions: v.nullish(v.array(Transition)),
  variables_to_extract: v.nullish(v.array(VariableExtraction)),
  global_node_setting: v.nullish(GlobalNodeSetting),
  transfer_to: v.pipe(text, v.description("Where a transfer leads: a number (E.164), a SIP URI or a {{variable}}")),
  metadata,
});

const SourceMetadata = object({
  name: v.pipe(text, v.description("The agent's name")),
  general_prompt: v.pipe(text, v.description("Instructions that all nodes share")),
  begin_message: v.pipe(text, v.description("Spoken verbatim at the start; empty: the caller speaks first")),
  start_speaker: v.nullish(v.picklist(["agent", "user"])),
  default_dynamic_variables: v.nullish(PlainObject),
  language: v.pipe(text, v.description("Language of the calls, such as en-US; multi: any that the platform supports")),
  voice: v.pipe(v.nullish(PlainObject), v.description(`Voice by platform: ${VOICE_WORDS}`)),
});

const head = {
  entry_node_id: v.pipe(v.string(), v.description("Id of the node where every call starts")),
  source_type: v.pipe(text, v.description("Where the graph came from; custom for code")),
  source_metadata: v.nullish(SourceMetadata),
  default_model: text,
};

/** A graph without its maps, whose entries are validated one by one. */
export const GraphHeadDocument = object(head);

/** A node before defaults are filled in. */
export type NodeInput = v.InferInput<typeof NodeDocument>;
/** A graph without its maps, before defaults are filled in. */
export type GraphHeadInput = v.InferInput<typeof GraphHeadDocument>;

/** The whole document, for the published JSON Schema and for generated graphs. */
export const GraphDocument = object({
  nodes: v.pipe(v.record(v.string(), NodeDocument), v.description("Nodes by id")),
  ...head,
  snippets: v.pipe(
    v.nullish(withoutLists(v.record(v.string(), v.string()))),
    v.description("Reusable prompt texts by name, used as {%name%}"),
  ),
});

/** Keys of a graph and of its objects. */
export const GRAPH_KEYS = {
  graph: Object.keys(GraphDocument.entries),
  sourceMetadata: Object.keys(SourceMetadata.entries),
  node: Object.keys(NodeDocument.entries),
  transition: Object.keys(Transition.entries),
  condition: Object.keys(TransitionCondition.entries),
  equation: Object.keys(EquationClause.entries),
  variable: Object.keys(VariableExtraction.entries),
  globalSetting: Object.keys(GlobalNodeSetting.entries),
  goBack: Object.keys(GoBackCondition.entries),
  tool: Object.keys(ToolDefinition.entries),
} as const satisfies { readonly [object: string]: readonly string[] };

/** Returns the JSON Schema of AgentGraph documents, which editors use for `*.callweave.json`. */
export function graphJsonSchema(): { readonly [keyword: string]: unknown } {
  return {
    ...toJsonSchema(GraphDocument, { target: "draft-07" }),
    title: "AgentGraph",
    description: "A voice agent as a graph of nodes: the document that Callweave compiles flows to and runs calls on.",
  };
}

/** Makes the schema of an object reject lists, which valibot reads as objects. */
export function withoutLists<const Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema["~run"] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema["~run"](dataset, config);
    const failed = schema["~run"]({ value: null }, config);
    const issues = failed.issues?.map((issue) => ({ ...issue, input: dataset.value, received: "Array" }));
    return { ...failed, value: dataset.value, issues } as typeof failed; // map() loses that the list is not empty
  };
  return { ...schema, "~run": run };
}
