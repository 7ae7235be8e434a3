import { PlatformError } from "../../../src/errors.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { openContainer, requiredKeys, retellTables, sharedKeys } from "../shared/mod.ts";

/** Owner of settings that only an LLM has; what a conversation flow has too is kept under `retell`. */
export const OWNER = "retell_llm";

/** The node of a single-prompt LLM: its general prompt is the whole agent. */
export const SINGLE_NODE = "main";

/** What the graph says itself of an LLM and of a flow alike. */
const MODELLED = ["default_dynamic_variables", "start_speaker"];

/** Settings that an LLM and a conversation flow spell the same way: they go along when one becomes the other. */
export function sharedSettings(): readonly string[] {
  const { flow, llm } = retellTables();
  return llm.keys.filter((key) => flow.keys.includes(key) && !MODELLED.includes(key));
}

/** Tools that end the agent's part in the call: they are nodes in the graph. */
const CALL_TOOLS = { end_call: "end", transfer_call: "transfer", agent_swap: "transfer" } as const;

/** A kind of tool that ends the agent's part in the call. */
export type CallToolType = keyof typeof CALL_TOOLS;

/** Every one of them. */
export const CALL_TOOL_TYPES: readonly CallToolType[] = ["end_call", "transfer_call", "agent_swap"];

/** A tool that is a node in the graph, with the settings that a flow's node of that kind has too. */
export interface CallTool {
  readonly node: "end" | "transfer";
  readonly keys: readonly string[];
  readonly required: readonly string[];
}

/** How a tool and the node that it stands for share their settings. */
export function callTool(type: CallToolType): CallTool {
  return {
    node: CALL_TOOLS[type],
    keys: sharedKeys(type === "end_call" ? "end" : type, type),
    required: requiredKeys(type),
  };
}

/** Whether a tool of this type is a node in the graph. */
export function isCallToolType(type: unknown): type is CallToolType {
  return typeof type === "string" && Object.hasOwn(CALL_TOOLS, type);
}

/** What only an LLM has of an object of the graph, such as an edge's `speak_during_transition`; nothing for anything else. */
export function llmKeys(metadata: { readonly [owner: string]: unknown } | null | undefined): JsonObject {
  const kept = metadata ? own(metadata, OWNER) : undefined;
  return isRecord(kept) ? kept : {};
}

/** A record, or nothing when it has no key. */
export function unlessEmpty(record: JsonObject): JsonObject | undefined {
  return Object.keys(record).length > 0 ? record : undefined;
}

/** The keys of a record that are in a list. */
export function pick(record: JsonObject, keys: readonly string[]): JsonObject {
  return omit(
    record,
    Object.keys(record).filter((key) => !keys.includes(key)),
  );
}

/** How sure it is, by keys alone, that a document holds a Retell LLM. */
export function detectLlm(document: unknown): number {
  const opened = openContainer(document);
  if (opened?.kind !== "llm") return 0;
  const { body, agent } = opened;
  if (agent) return 0.95;
  if (Array.isArray(body.states) || Array.isArray(body.general_tools) || typeof body.llm_id === "string") return 0.9;
  return typeof body.general_prompt === "string" ? 0.6 : 0.3;
}

/** The states of an LLM: none for a single prompt. */
export function readStates(
  body: JsonObject,
  path: readonly (string | number)[],
): readonly (JsonObject & { readonly name: string })[] {
  const { states } = body;
  if (states === undefined || states === null) return [];
  if (!Array.isArray(states)) throw unknownShape('"states" is not a list', [...path, "states"], STATE_HINT);
  return states.map((state: unknown, index) => {
    const at = [...path, "states", index];
    if (!isRecord(state)) throw unknownShape(`state ${index} is not an object`, at, STATE_HINT);
    const { name } = state;
    if (typeof name !== "string") throw unknownShape(`state ${index} has no name`, [...at, "name"], STATE_HINT);
    return { ...state, name };
  });
}

const STATE_HINT = 'Give each state as { "name": "greeting", "state_prompt": "…", "edges": [], "tools": [] }';

/** The error for a document that is no LLM. */
export function unknownShape(state: string, path: readonly (string | number)[], hint: string): PlatformError {
  return new PlatformError(`Cannot import Retell LLM: ${state}`, { code: "unknown-shape", path, hint });
}
