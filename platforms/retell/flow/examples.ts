import { isRecord, type JsonObject, omit, own, records } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";

/** Key of a node's examples of transitions, each with its target node. */
export const EXAMPLES = "finetune_transition_examples";

/**
 * Moves the examples of a node to their transitions, so that they are changed or removed with them. Retell rejects
 * changes of an edge while an example leads to the edge's old target.
 *
 * @returns The transitions with their examples, and the examples that belong to no transition as the node's own key.
 */
export function readExamples(node: JsonObject, transitions: readonly JsonObject[]) {
  const all = own(node, EXAMPLES);
  if (!Array.isArray(all)) return { transitions, own: {} };
  const firsts = new Map(transitions.map((each) => [each.target_node_id, each] as const).toReversed());
  const transitionOf = (example: unknown) => (isRecord(example) ? firsts.get(example.destination_node_id) : undefined);
  return {
    transitions: transitions.map((each) => {
      const mine = records(all).filter((example) => transitionOf(example) === each);
      const examples = mine.map((example) => omit(example, ["destination_node_id"]));
      return mine.length > 0 ? { ...each, metadata: keep({ ...ownKeys(each), ...examplesOf(examples) }) } : each;
    }),
    own: examplesOf(all.filter((example) => !transitionOf(example))),
  };
}

/** Writes the examples of a node and of its transitions: the inverse of {@link readExamples}. */
export function writeExamples(node: AgentNode): JsonObject {
  const listOf = (item: object): readonly unknown[] => {
    const list = ownKeys(item)[EXAMPLES];
    return Array.isArray(list) ? list : [];
  };
  const led = node.transitions.flatMap((transition) =>
    records(listOf(transition)).map((example) => ({ ...example, destination_node_id: transition.target_node_id })),
  );
  return examplesOf([...listOf(node), ...led]);
}

function examplesOf(examples: readonly unknown[]): JsonObject {
  return examples.length > 0 ? { [EXAMPLES]: examples } : {};
}
