import { isRecord, isRecords, isTexts, recordAt } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, OriginalDocument } from "../../../document/graph/mod.ts";

/** A graph in parts. Each part, by name, is a graph that runs on its own; it is named after its entry node. */
export interface Decomposition {
  readonly manifest: DecompositionManifest;
  readonly parts: { readonly [name: string]: AgentGraph };
}

/** How the parts of a graph belong together, as a JSON document. */
export interface DecompositionManifest {
  /** Name of the part that calls start with. */
  readonly main: string;
  readonly parts: readonly PartEntry[];
  /** Transitions from one part to another, in the order of the parts. */
  readonly handoffs: readonly Handoff[];
  /** Ids of the whole graph's nodes in order; global nodes are offered in this order. */
  readonly order: readonly string[];
  /** Names of the whole graph's snippets, in order. */
  readonly snippets: readonly string[];
  /** The document that the graph was imported from; emitting the composed graph writes its changes into it. */
  readonly original?: OriginalDocument;
}

/** One part of a graph. */
export interface PartEntry {
  /** Id of the node at which the part is entered. */
  readonly name: string;
  /** Ids of the nodes that only this part has. */
  readonly nodes: readonly string[];
  /** Ids of copied nodes: global nodes, nodes that only those lead to, and ends. */
  readonly shared: readonly string[];
  /** Variables that the part, or a part that it can hand over to, reads. A handoff must pass them on. */
  readonly needs: readonly string[];
}

/** A transition that leads to another part. In the part that it leaves, a transfer node stands for its target. */
export interface Handoff {
  readonly from: string;
  readonly node_id: string;
  /** Index in the node's transitions. */
  readonly transition: number;
  /** The part that takes over, at the node of the same name. */
  readonly to: string;
  /** Whether the other part waits for the caller before it speaks; otherwise it speaks at once. */
  readonly waits: boolean;
  /** Variable with the number or id of the agent that takes over, as the transfer node uses it. */
  readonly destination: string;
}

/** Whether a node stands for a node of another part. */
export function isHandoff(node: AgentNode): boolean {
  return Object.hasOwn(recordAt(node.metadata, "callweave"), "handoff");
}

/** Whether a value is a manifest that can be composed. */
export function isManifest(value: unknown): value is DecompositionManifest {
  return (
    isRecord(value) &&
    typeof value.main === "string" &&
    isRecords(value.parts, ({ name, shared }) => typeof name === "string" && isTexts(shared)) &&
    isTexts(value.order) &&
    isTexts(value.snippets)
  );
}
