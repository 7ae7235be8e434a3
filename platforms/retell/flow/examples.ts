import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own } from "../../../src/values/mod.ts";
import { kept, note } from "../shared/mod.ts";

/** Examples of a node's transitions, each with the node that it leads to. */
const EXAMPLES = "finetune_transition_examples";

/** The ids of the edges by which a node led to the destination of its examples when it was read. */
type ExampleEdges = { readonly [destination: string]: readonly string[] };

/** Notes which edges the examples of an imported node belong to, so that they follow when an edge is changed. */
export function exampleEdges(
  node: JsonObject,
  transitions: readonly JsonObject[],
  ids: ReadonlySet<string>,
): ExampleEdges {
  const targets = examplesOf(node).flatMap(({ destination_node_id: target }) =>
    typeof target === "string" && ids.has(target) ? [target] : [],
  );
  const edgesTo = (target: string) =>
    transitions.flatMap(({ target_node_id: to, metadata }) => {
      const { id } = kept(metadata).own;
      return to === target && typeof id === "string" ? [id] : [];
    });
  return Object.fromEntries([...new Set(targets)].map((target) => [target, edgesTo(target)]));
}

/** A node of a document, with its id. */
type Entry = readonly [id: string, node: JsonObject];

/** Notes the ids of nodes that examples lead to without an edge, so that a new id is known for theirs. */
export function noteExampleTargets(nodes: readonly Entry[]): readonly Entry[] {
  const targets = new Set(
    nodes.flatMap(([, { metadata }]) =>
      Object.entries(edgesIn(kept(metadata).lens)).flatMap(([target, edges]) => (edges.length === 0 ? [target] : [])),
    ),
  );
  if (targets.size === 0) return nodes;
  return nodes.map(([id, node]) => [id, targets.has(id) ? { ...node, metadata: note(node.metadata, { id }) } : node]);
}

/**
 * A node's examples after an edit: they lead where their edge leads, and go with it. Retell refuses to change or delete
 * an edge while an example still leads where it led.
 */
export function writeExamples(node: AgentNode, { nodes }: AgentGraph): JsonObject {
  const { own: settings, lens } = kept(node.metadata);
  const examples = settings[EXAMPLES];
  const known = edgesIn(lens);
  if (!Array.isArray(examples) || Object.keys(known).length === 0) return {};
  const destinationOf = (target: string): string | undefined => {
    const edges = own(known, target);
    if (edges === undefined || node.transitions.some((each) => each.target_node_id === target)) return target;
    const moved = node.transitions.find((each) => {
      const { id } = kept(each.metadata).own;
      return typeof id === "string" && edges.includes(id);
    });
    if (moved || edges.length > 0) return moved?.target_node_id;
    if (Object.hasOwn(nodes, target)) return target;
    return Object.values(nodes).find(({ metadata }) => kept(metadata).lens.id === target)?.id;
  };
  const written = examples.flatMap((example: unknown) => {
    if (!isRecord(example) || typeof example.destination_node_id !== "string") return [example];
    const target = destinationOf(example.destination_node_id);
    return target === undefined ? [] : [{ ...example, destination_node_id: target }];
  });
  return { [EXAMPLES]: written };
}

function examplesOf(node: JsonObject): readonly JsonObject[] {
  const examples = node[EXAMPLES];
  return Array.isArray(examples) ? examples.filter(isRecord) : [];
}

function edgesIn({ examples }: { readonly [note: string]: unknown }): ExampleEdges {
  if (!isRecord(examples)) return {};
  const lists = Object.entries(examples).map(([target, edges]) => [
    target,
    Array.isArray(edges) ? edges.filter((id) => typeof id === "string") : [],
  ]);
  return Object.fromEntries(lists);
}
