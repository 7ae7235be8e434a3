import { own } from "../../../src/values/mod.ts";
import { once } from "../../once.ts";
import { RETELL_API } from "../generated/mod.ts";

/** The keys of an object, and those that Retell requires. */
export interface KeyTable {
  readonly keys: readonly string[];
  readonly required: readonly string[];
  /** The kinds of instruction that a node can have. */
  readonly instructions?: readonly string[];
}

/** What Retell accepts by the types of its SDK, made by `npm run update-platforms`. */
export interface RetellTables {
  readonly flow: KeyTable;
  readonly llm: KeyTable;
  /** Languages of an agent. */
  readonly languages: readonly string[];
  /** The only prompt that Retell takes as the condition of a special edge, by the edge's key. */
  readonly edge_conditions: { readonly [key: string]: string };
  /** Operators of equations. */
  readonly operators: readonly string[];
  readonly variable_types: readonly string[];
  /** The kinds of tools that a flow holds; all others stand in the subagent node that has them. */
  readonly flow_tools: readonly string[];
  readonly tools: { readonly [type: string]: KeyTable };
  readonly nodes: { readonly [type: string]: KeyTable };
}

/** The tables, parsed when they are first read. */
export const retellTables = once(() => (JSON.parse(RETELL_API) as { readonly tables: RetellTables }).tables); // by the same script

/** Keys of a tool and of a node that the graph says itself. */
const SAID = ["name", "type", "description", "speak_during_execution"];

/** Settings that a flow's node of one type and a tool of one kind spell the same way. */
export function sharedKeys(nodeType: string, toolType: string): readonly string[] {
  const { nodes, tools } = retellTables();
  const ofNode = own(nodes, nodeType)?.keys ?? [];
  return (own(tools, toolType)?.keys ?? []).filter((key) => ofNode.includes(key) && !SAID.includes(key));
}

/** Settings that Retell requires of a tool. */
export const requiredKeys = (toolType: string): readonly string[] =>
  (own(retellTables().tools, toolType)?.required ?? []).filter((key) => !SAID.includes(key));
