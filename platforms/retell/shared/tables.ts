import { type JsonObject, once, own } from "../../../src/values/mod.ts";
import { RETELL_API } from "../generated/mod.ts";

/** The keys of an object, and those that Retell requires. */
export interface KeyTable {
  readonly keys: readonly string[];
  readonly required: readonly string[];
  /** The types of instruction that a node can have. */
  readonly instructions?: readonly string[];
}

/** What Retell accepts by the types of its SDK, made by `npm run update-platforms`. */
export interface RetellTables {
  readonly flow: KeyTable;
  readonly llm: KeyTable;
  /** Languages of an agent. */
  readonly languages: readonly string[];
  /** The only prompt that Retell accepts as the condition of a special edge, by the edge's key. */
  readonly edge_conditions: { readonly [key: string]: string };
  /** Operators of equations. */
  readonly operators: readonly string[];
  readonly variable_types: readonly string[];
  /** The types of tools that a flow has; tools of other types are in the subagent node that uses them. */
  readonly flow_tools: readonly string[];
  readonly tools: { readonly [type: string]: KeyTable };
  readonly nodes: { readonly [type: string]: KeyTable };
}

/** The tables, parsed when they are first read. */
export const retellTables = once(() => (JSON.parse(RETELL_API) as { readonly tables: RetellTables }).tables); // by the same script

/** Keys of a tool and of a node that the graph models. */
const MODELLED = ["name", "type", "description", "speak_during_execution"];

/** Settings that have the same key in a flow's node of one type and a tool of one type. */
export function sharedKeys(nodeType: string, toolType: string): readonly string[] {
  const { nodes, tools } = retellTables();
  const ofNode = own(nodes, nodeType)?.keys ?? [];
  return (own(tools, toolType)?.keys ?? []).filter((key) => ofNode.includes(key) && !MODELLED.includes(key));
}

/** Values of required keys for which a graph has none. */
const DEFAULTS: JsonObject = {
  agent_id: "",
  cal_api_key: "",
  code: "",
  component_id: "",
  component_type: "local",
  event_type_id: "",
  instruction: { type: "prompt", text: "" },
  mcp_id: "",
  mcp_tool_name: "",
  post_call_analysis_setting: "both_agents",
  sms_content: { type: "inferred", prompt: "" },
  tool_id: "",
  tool_type: "local",
  transfer_destination: { type: "predefined", number: "" },
  transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
  url: "",
  variables: [],
  wait_for_result: true,
};

/** The required keys of a node or a tool that have a default, with the default. */
export function requiredDefaults({ required }: KeyTable): JsonObject {
  return Object.fromEntries(required.flatMap((key) => (Object.hasOwn(DEFAULTS, key) ? [[key, DEFAULTS[key]]] : [])));
}
