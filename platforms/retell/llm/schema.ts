import { retellTables, SHARED_FIELDS, sharedKeys } from "../shared/mod.ts";

/** Id of the only node of a single-prompt LLM. */
export const SINGLE_NODE = "main";

/** Returns settings that LLMs and flows share. They are kept when one is emitted as the other. */
export function sharedSettings(): readonly string[] {
  const { flow, llm } = retellTables();
  return llm.keys.filter((key) => flow.keys.includes(key) && !SHARED_FIELDS.some(({ graph }) => graph === key));
}

/** Tools that end or transfer the call, with their node type in the graph. */
export const CALL_TOOLS = { end_call: "end", transfer_call: "transfer", agent_swap: "transfer" } as const;

/** Whether a tool of this type is a node in the graph. */
export function isCallToolType(type: unknown): type is keyof typeof CALL_TOOLS {
  return typeof type === "string" && Object.hasOwn(CALL_TOOLS, type);
}

/** Returns settings that such a tool shares with the flow's node. */
export const callKeys = (type: string): readonly string[] => sharedKeys(type === "end_call" ? "end" : type, type);
