import type { NodeType } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";

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

/** What the SDK says must stand as the condition of an edge in a special slot. */
export const LITERALS = {
  success_edge: "Sent successfully",
  failed_edge: "Failed to send",
  edge: "Transfer failed",
  else_edge: "Else",
  always_edge: "Always",
  skip_response_edge: "Skip response",
} as const;

/** The operators of Retell's equations, as they are on the wire. */
export const OPERATORS: readonly string[] = [
  ...["==", "!=", ">", ">=", "<", "<="],
  ...["contains", "not_contains", "exists", "not_exist"],
];

/** What Callweave knows of one of Retell's node types. */
export interface TypeFacts {
  readonly node_type: NodeType;
  readonly slots: readonly Slot[];
  /** Special slots that Retell wants even where nothing is connected. */
  readonly required: readonly Exclude<Slot, "edges">[];
  /** What its instruction can be; nothing: it has none. */
  readonly instruction: readonly ("prompt" | "static_text")[];
  /** Whether an instruction must be there. */
  readonly speaks: boolean;
}

const TALK: readonly Slot[] = ["edges", "else_edge", "always_edge", "skip_response_edge"];
const WORK: readonly Slot[] = ["edges", "else_edge"];
const BOTH = ["prompt", "static_text"] as const;

const TYPES: { readonly [type: string]: TypeFacts } = {
  conversation: { node_type: "conversation", slots: TALK, required: [], instruction: BOTH, speaks: true },
  subagent: { node_type: "conversation", slots: TALK, required: [], instruction: ["prompt"], speaks: true },
  press_digit: { node_type: "conversation", slots: WORK, required: [], instruction: ["prompt"], speaks: true },
  function: { node_type: "function", slots: WORK, required: [], instruction: BOTH, speaks: false },
  code: { node_type: "function", slots: WORK, required: [], instruction: BOTH, speaks: false },
  mcp: { node_type: "function", slots: WORK, required: [], instruction: BOTH, speaks: false },
  sms: {
    node_type: "function",
    slots: ["success_edge", "failed_edge"],
    required: ["success_edge", "failed_edge"],
    instruction: BOTH,
    speaks: true,
  },
  branch: { node_type: "logic", slots: WORK, required: ["else_edge"], instruction: [], speaks: false },
  logic_split: { node_type: "logic", slots: WORK, required: ["else_edge"], instruction: [], speaks: false },
  component: { node_type: "logic", slots: WORK, required: ["else_edge"], instruction: [], speaks: false },
  extract_dynamic_variables: { node_type: "extract", slots: WORK, required: [], instruction: [], speaks: false },
  transfer_call: { node_type: "transfer", slots: ["edge"], required: ["edge"], instruction: BOTH, speaks: false },
  agent_swap: { node_type: "transfer", slots: ["edge"], required: ["edge"], instruction: BOTH, speaks: false },
  bridge_transfer: { node_type: "transfer", slots: [], required: [], instruction: BOTH, speaks: false },
  cancel_transfer: { node_type: "end", slots: [], required: [], instruction: BOTH, speaks: false },
  end: { node_type: "end", slots: [], required: [], instruction: BOTH, speaks: false },
};

/** Node types that Retell lists; `logic_split` is a name that hand-written files use for `branch`. */
export const RETELL_TYPES = Object.keys(TYPES).filter((type) => type !== "logic_split");

/** What is known of a node type; `undefined` for one that did not exist when this was written. */
export function typeFacts(type: string): TypeFacts | undefined {
  return own(TYPES, type);
}

/** What is assumed of a node type that nobody knows: with words it talks, without it is walked through. */
export function unknownFacts(talks: boolean): TypeFacts {
  const node_type = talks ? "conversation" : "logic";
  return { node_type, slots: SLOTS, required: [], instruction: BOTH, speaks: false };
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
