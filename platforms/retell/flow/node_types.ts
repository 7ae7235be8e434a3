import type { NodeType } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";
import { retellTables } from "../shared/mod.ts";

/** The places where a node's edges stand. */
export const SLOTS = [
  "edges",
  "success_edge",
  "failed_edge",
  "edge",
  "else_edge",
  "always_edge",
  "skip_response_edge",
] as const;

/** One of {@link SLOTS}. */
export type Slot = (typeof SLOTS)[number];

/** The only prompt that Retell takes as the condition of an edge in a special slot. */
export const edgeCondition = (slot: Slot): string => own(retellTables().edge_conditions, slot) ?? "";

/** Facts about one of Retell's node types. */
export interface TypeFacts {
  readonly node_type: NodeType;
  readonly slots: readonly Slot[];
  /** Special slots that Retell requires even where nothing is connected. */
  readonly required: readonly Slot[];
  /** The kinds of instruction that it can have; empty: it has none. */
  readonly instruction: readonly string[];
  /** Whether an instruction must be there. */
  readonly speaks: boolean;
}

/** The graph's node types for Retell's. */
const NODE_TYPES: { readonly [type: string]: NodeType } = {
  conversation: "conversation",
  subagent: "conversation",
  press_digit: "conversation",
  function: "function",
  code: "function",
  mcp: "function",
  sms: "function",
  branch: "logic",
  component: "logic",
  extract_dynamic_variables: "extract",
  transfer_call: "transfer",
  agent_swap: "transfer",
  bridge_transfer: "transfer",
  cancel_transfer: "end",
  end: "end",
};

/** A name that hand-written files use for `branch`. */
const BRANCH_ALIAS = "logic_split";

/** Node types that Retell lists. */
export const retellTypes = (): readonly string[] => Object.keys(retellTables().nodes);

/** What is known of a node type; `undefined` for one that Retell's SDK does not list. */
export function typeFacts(type: string): TypeFacts | undefined {
  const name = type === BRANCH_ALIAS ? "branch" : type;
  const table = own(retellTables().nodes, name);
  if (!table) return undefined;
  const { keys, required, instructions: instruction = [] } = table;
  return {
    node_type: own(NODE_TYPES, name) ?? talkingOr(instruction.length > 0),
    slots: SLOTS.filter((slot) => keys.includes(slot)),
    required: SLOTS.filter((slot) => slot !== "edges" && required.includes(slot)),
    instruction,
    speaks: required.includes("instruction"),
  };
}

/** What is known of a node type, and of one that nobody knows yet: with words it talks, without it is walked through. */
export function factsOf(type: string, talks: boolean): TypeFacts {
  // a node that came without a type goes back as one of the two
  const known = typeFacts(type === "" ? BASE_TYPES[talkingOr(talks)] : type);
  if (known) return known;
  return {
    node_type: talkingOr(talks),
    slots: SLOTS,
    required: [],
    instruction: ["prompt", "static_text"],
    speaks: talks,
  };
}

function talkingOr(talks: boolean): "conversation" | "logic" {
  return talks ? "conversation" : "logic";
}

/** The node type that stands for one of the graph's by itself; any other is written down in `metadata.retell.type`. */
export const BASE_TYPES = {
  conversation: "conversation",
  logic: "branch",
  extract: "extract_dynamic_variables",
  function: "function",
  transfer: "transfer_call",
  end: "end",
} as const satisfies { readonly [type in NodeType]: string };

/** Tools that are nodes of their own where they run by themselves. */
const TOOL_NODES: { readonly [toolType: string]: string } = { code: "code", mcp: "mcp", send_sms: "sms" };

/** The node type that a graph's node has at Retell when nothing else is said. */
export function canonicalType(node: {
  readonly node_type: NodeType;
  readonly tools: readonly { readonly type?: string | null }[];
}): string {
  if (node.node_type === "conversation" && node.tools.length > 0) return "subagent";
  if (node.node_type === "function") return own(TOOL_NODES, node.tools[0]?.type ?? "") ?? "function";
  return BASE_TYPES[node.node_type];
}
