import { own } from "../../../src/base/values/mod.ts";
import type { AgentNode, NodeType } from "../../../src/document/graph/mod.ts";
import { retellTables } from "../shared/mod.ts";

/** The keys of a node's edges. */
export const EDGE_SLOTS = [
  "edges",
  "success_edge",
  "failed_edge",
  "edge",
  "else_edge",
  "always_edge",
  "skip_response_edge",
] as const;

/** One of {@link EDGE_SLOTS}. */
export type EdgeSlot = (typeof EDGE_SLOTS)[number];

/** The only prompt that Retell accepts as the condition of a special edge. */
export const edgeCondition = (slot: EdgeSlot): string => own(retellTables().edge_conditions, slot) ?? "";

/** Facts about one of Retell's node types. */
export interface TypeFacts {
  readonly node_type: NodeType;
  readonly slots: readonly EdgeSlot[];
  /** Special edges that Retell requires even if they lead nowhere. */
  readonly required: readonly EdgeSlot[];
  /** Supported types of instruction; empty if it has no instruction. */
  readonly instruction: readonly string[];
  /** Whether an instruction is required. */
  readonly speaks: boolean;
}

/** Retell's types for the graph's node types. Nodes of other types have `metadata.retell.type`. */
export const BASE_TYPES = {
  conversation: "conversation",
  logic: "branch",
  extract: "extract_dynamic_variables",
  function: "function",
  transfer: "transfer_call",
  end: "end",
} as const satisfies { readonly [type in NodeType]: string };

/** The graph's node types for Retell's other types. */
const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map<string, NodeType>([
  ...Object.entries(BASE_TYPES).map(([type, name]) => [name, type as NodeType] as const), // keys of the table above
  ["subagent", "conversation"],
  ["press_digit", "conversation"],
  ["code", "function"],
  ["mcp", "function"],
  ["sms", "function"],
  ["component", "logic"],
  ["agent_swap", "transfer"],
  ["bridge_transfer", "transfer"],
  ["cancel_transfer", "end"],
]);

/** Another name for `branch` in hand-written files. */
const BRANCH_ALIAS = "logic_split";

/** Returns the facts about a node type; `undefined` for a type that Retell's SDK does not list. */
export function typeFacts(type: string): TypeFacts | undefined {
  const name = type === BRANCH_ALIAS ? "branch" : type;
  const table = own(retellTables().nodes, name);
  if (!table) return undefined;
  const { keys, required, instructions: instruction = [] } = table;
  return {
    node_type: NODE_TYPES.get(name) ?? talkingOr(instruction.length > 0),
    slots: EDGE_SLOTS.filter((slot) => keys.includes(slot)),
    required: EDGE_SLOTS.filter((slot) => slot !== "edges" && required.includes(slot)),
    instruction,
    speaks: required.includes("instruction"),
  };
}

/** Returns the facts about a node's type. A node of an unknown type is a conversation if it has text, else silent. */
export function typeFactsOf(type: string, talks: boolean): TypeFacts {
  const node_type = talkingOr(talks);
  const unknown = { node_type, slots: EDGE_SLOTS, required: [], instruction: ["prompt", "static_text"], speaks: talks };
  return typeFacts(type === "" ? BASE_TYPES[node_type] : type) ?? unknown;
}

function talkingOr(talks: boolean): "conversation" | "logic" {
  return talks ? "conversation" : "logic";
}

/** Tool types with a node type of their own, for function nodes. */
const TOOL_NODES: { readonly [toolType: string]: string } = { code: "code", mcp: "mcp", send_sms: "sms" };

/** Returns Retell's type of a node without a type in its metadata. */
export function canonicalType({ node_type: type, tools }: Pick<AgentNode, "node_type" | "tools">): string {
  if (type === "conversation" && tools.length > 0) return "subagent";
  if (type === "function") return own(TOOL_NODES, tools[0]?.type ?? "") ?? "function";
  return BASE_TYPES[type];
}
