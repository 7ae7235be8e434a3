import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";

/** Examples of a node's transitions, each with the node that it leads to. */
export const EXAMPLES = "finetune_transition_examples";

/** A node's transitions with their examples, and what its own key has besides: examples that lead along no transition. */
export interface ReadExamples {
  readonly transitions: readonly JsonObject[];
  readonly own: JsonObject;
}

/**
 * Puts the examples of a node with the transitions that they are for, so that they lead where their transition leads, and
 * go with it. Retell refuses to change or delete an edge while an example still leads where it led.
 */
export function readExamples(node: JsonObject, transitions: readonly JsonObject[]): ReadExamples {
  const all: unknown = node[EXAMPLES];
  if (!Array.isArray(all)) return { transitions, own: {} };
  const firsts = new Map(transitions.map((each) => [each.target_node_id, each] as const).toReversed());
  const transitionOf = (example: unknown) => (isRecord(example) ? firsts.get(example.destination_node_id) : undefined);
  const left = all.filter((example) => !transitionOf(example));
  return {
    transitions: transitions.map((each) => {
      const mine = all.filter((example) => transitionOf(example) === each);
      if (mine.length === 0) return each;
      const examples = mine.map((example: JsonObject) => omit(example, ["destination_node_id"]));
      return { ...each, metadata: keep({ ...ownKeys(each.metadata), [EXAMPLES]: examples }) };
    }),
    own: left.length > 0 ? { [EXAMPLES]: left } : {},
  };
}

/** Writes the examples of a node and of its transitions: the inverse of {@link readExamples}. */
export function writeExamples({ metadata, transitions }: AgentNode): JsonObject {
  const own = listOf(metadata);
  const led = transitions.flatMap(({ target_node_id: target, metadata }) =>
    listOf(metadata).flatMap((example) => (isRecord(example) ? [{ ...example, destination_node_id: target }] : [])),
  );
  const all = [...own, ...led];
  return all.length > 0 ? { [EXAMPLES]: all } : {};
}

function listOf(metadata: unknown): readonly unknown[] {
  const list = ownKeys(metadata)[EXAMPLES];
  return Array.isArray(list) ? list : [];
}
