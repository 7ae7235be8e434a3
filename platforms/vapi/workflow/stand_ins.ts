import { own, quotedList, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Transition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import type { Loss } from "../../platform.ts";
import { readVariables } from "./variables.ts";

/**
 * Returns the workflow node that an imported extract node belongs to. `undefined` if the extract node was edited to do
 * more than extract: it is then emitted as a node of its own.
 */
export function ownerOf(node: AgentNode, graph: AgentGraph): string | undefined {
  const [only, ...others] = node.transitions;
  const target = only && own(graph.nodes, only.target_node_id);
  const isChained = target !== undefined && markOf(target) !== undefined;
  const leadsOn = others.length === 0 && only?.condition.type === "always" && !isChained;
  const isBare = node.state_prompt === "" && node.tools.length === 0 && !node.global_node_setting;
  const extracts = node.node_type === "extract" && node.id !== graph.entry_node_id;
  return leadsOn && isBare && extracts ? markOf(node) : undefined;
}

/** Returns the node that the importer created an extract node for. */
function markOf(node: AgentNode): string | undefined {
  const { of: owner } = recordAt(node.metadata, "vapi");
  return typeof owner === "string" ? owner : undefined;
}

/** Returns the target of a transition if the importer inserted it to extract variables. */
function standInAt({ target_node_id: id }: Transition, graph: AgentGraph): AgentNode | undefined {
  const target = own(graph.nodes, id);
  return target && ownerOf(target, graph) !== undefined ? target : undefined;
}

/** Returns the target of a transition in the document, skipping an inserted extract node. */
export function targetOf(transition: Transition, graph: AgentGraph): string {
  return standInAt(transition, graph)?.transitions[0]?.target_node_id ?? transition.target_node_id;
}

/** Returns the variables that a node extracts: those of the extract nodes after it, preferably an edited list. */
export function variablesOf(node: AgentNode, graph: AgentGraph): readonly VariableExtraction[] {
  const before = readVariables(recordAt(node.metadata, "vapi"));
  const behind = node.transitions.map((transition) => standInAt(transition, graph)?.variables_to_extract ?? []);
  const lists = [node.variables_to_extract, ...behind].filter((list) => list.length > 0);
  return lists.find((list) => !sameJson(list, before)) ?? lists[0] ?? [];
}

/** Reports inserted extract nodes with different variables: a node extracts the same variables on every edge. */
export function extractionLosses(
  node: AgentNode,
  graph: AgentGraph,
  variables: readonly VariableExtraction[],
): readonly Loss[] {
  const behind = node.transitions.map((transition) => standInAt(transition, graph));
  if (behind.every((standIn) => standIn === undefined)) return [];
  const names = quotedList(variables.map(({ name }) => name)) || "no variables";
  return behind.flatMap((standIn, index): Loss[] => {
    if (sameJson(standIn?.variables_to_extract ?? [], variables)) return [];
    return [
      {
        code: "extraction-timing",
        kind: "emulated",
        path: ["nodes", node.id, "transitions", index],
        message: "A node of a workflow extracts the same variables on all transitions",
        instead: `extraction of ${names} on this transition`,
        hint: "Extract the same variables on all transitions, or emit vapi-squad instead",
      },
    ];
  });
}
