import { type JsonObject, omit } from "../../../src/values/mod.ts";
import { retellTables, sharedKeys } from "../shared/mod.ts";

/** The node of a single-prompt LLM: its general prompt is the whole agent. */
export const SINGLE_NODE = "main";

/** Keys that a flow and an LLM share, and the graph models. */
const MODELLED = ["default_dynamic_variables", "start_speaker"];

/** Settings that an LLM and a flow share: they are kept when one becomes the other. */
export function sharedSettings(): readonly string[] {
  const { flow, llm } = retellTables();
  return llm.keys.filter((key) => flow.keys.includes(key) && !MODELLED.includes(key));
}

/** Tools that end the call or hand it over. They are nodes in the graph. */
const CALL_TOOLS = { end_call: "end", transfer_call: "transfer", agent_swap: "transfer" } as const;

/** The type of a tool that ends the call or hands it over. */
export type CallToolType = keyof typeof CALL_TOOLS;

/** All of them. */
export const CALL_TOOL_TYPES: readonly CallToolType[] = ["end_call", "transfer_call", "agent_swap"];

/** The type of the node that such a tool becomes. */
export const callNodeType = (type: CallToolType): "end" | "transfer" => CALL_TOOLS[type];

/** Settings that such a tool shares with the flow's node. */
export const callKeys = (type: CallToolType): readonly string[] => sharedKeys(type === "end_call" ? "end" : type, type);

/** Whether a tool of this type is a node in the graph. */
export function isCallToolType(type: unknown): type is CallToolType {
  return typeof type === "string" && Object.hasOwn(CALL_TOOLS, type);
}

/** The keys of a record that are in a list. */
export function pick(record: JsonObject, keys: readonly string[]): JsonObject {
  return omit(
    record,
    Object.keys(record).filter((key) => !keys.includes(key)),
  );
}
