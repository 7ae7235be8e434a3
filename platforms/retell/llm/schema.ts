import { retellTables, SHARED_FIELDS, sharedKeys } from "../shared/mod.ts";

/** The node of a single-prompt LLM: its general prompt is the whole agent. */
export const SINGLE_NODE = "main";

/** Settings that an LLM and a flow share: they are kept when one becomes the other. */
export function sharedSettings(): readonly string[] {
  const { flow, llm } = retellTables();
  return llm.keys.filter((key) => flow.keys.includes(key) && !SHARED_FIELDS.some(({ graph }) => graph === key));
}

/** Tools that end the call or hand it over, with the type of the node that they are in the graph. */
export const CALL_TOOLS = { end_call: "end", transfer_call: "transfer", agent_swap: "transfer" } as const;

/** Whether a tool of this type is a node in the graph. */
export function isCallToolType(type: unknown): type is keyof typeof CALL_TOOLS {
  return typeof type === "string" && Object.hasOwn(CALL_TOOLS, type);
}

/** Settings that such a tool shares with the flow's node. */
export const callKeys = (type: string): readonly string[] => sharedKeys(type === "end_call" ? "end" : type, type);
