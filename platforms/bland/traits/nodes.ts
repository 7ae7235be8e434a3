import { getAt, type JsonObject } from "../../../src/base/values/mod.ts";
import type { NodeType } from "../../../src/document/graph/mod.ts";

/** A static text that stands for saying nothing. */
export const SILENT = ".";

/** Facts about a type of nodes. */
export interface NodeFacts {
  readonly node_type: NodeType;
  /** Whether turns can end at it. */
  readonly rests: boolean;
  /** Whether it does something outside of the call. */
  readonly acts: boolean;
}

const TALKS: NodeFacts = { node_type: "conversation", rests: true, acts: false };
const PASSES: NodeFacts = { node_type: "logic", rests: false, acts: false };
const ACTS: NodeFacts = { node_type: "function", rests: false, acts: true };
const TRANSFERS: NodeFacts = { node_type: "transfer", rests: true, acts: true };

/** The types of nodes that are documented. The list is open. */
const TYPES: ReadonlyMap<string, NodeFacts> = new Map([
  ["Default", TALKS],
  ["Wait for Response", TALKS],
  ["Knowledge Base", TALKS],
  ["Vector DB", TALKS],
  ["End Call", { node_type: "end", rests: true, acts: false }],
  // exports and the documentation have different names
  ["Transfer Call", TRANSFERS],
  ["Transfer Node", TRANSFERS],
  ["Transfer Pathway", { ...TRANSFERS, rests: false }],
  ["Route", PASSES],
  ["Reset STT Language", PASSES],
  ["Press Button", { ...ACTS, acts: false }],
  ["Webhook", ACTS],
  ["Custom Tool", ACTS],
  ["SMS", ACTS],
  ["Custom Code", ACTS],
  ["Scheduling", ACTS],
  ["Amazon Lex", { ...TALKS, rests: false, acts: true }],
]);

/** Returns the facts about a type of nodes; `undefined` for one that is not documented. */
export const nodeFacts = (type: string): NodeFacts | undefined => TYPES.get(type);

/** The type of a node, which older documents have in its data. */
export function typeOfNode({ type, data }: JsonObject): string {
  const types = [type, getAt(data, ["type"])];
  return types.find((each) => typeof each === "string")?.toString() ?? "";
}

/** Whether a node transfers the call to a number. */
export const isTransferType = (type: string): boolean => nodeFacts(type) === TRANSFERS;
