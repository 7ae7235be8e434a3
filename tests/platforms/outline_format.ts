import type { Format } from "../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";

/**
 * A minimal platform, with only what CONTRIBUTING requires. Its documents are `{ first, steps: [{ step, says, next: [{
 * when, step }] }] }`; a step without `next` ends the call.
 */
export const OUTLINE: Format<"outline", JsonObject> = {
  name: "outline",
  title: "Outline",
  shape: { keys: ["step"] },
  detect: (document) => (isRecord(document) && Array.isArray(document.steps) ? 1 : 0),
  importDocument: (document) => {
    const { first, steps } = isRecord(document) ? document : {};
    const records = listOf(steps);
    return parseGraph({
      entry_node_id: first ?? records[0]?.step,
      source_type: "outline",
      nodes: Object.fromEntries(records.map((step) => [String(step.step), nodeOf(step)])),
    });
  },
  emitGraph: (graph) => ({
    config: {
      first: graph.entry_node_id,
      steps: Object.values(graph.nodes).map((node) => ({
        step: node.id,
        says: node.state_prompt,
        ...(node.node_type === "end"
          ? {}
          : { next: node.transitions.map((edge) => ({ when: edge.condition.value, step: edge.target_node_id })) }),
      })),
    },
    losses: Object.values(graph.nodes).flatMap(({ id, tools }) =>
      tools.map(({ name }, index) => ({
        code: "tool",
        kind: "dropped",
        path: ["nodes", id, "tools", index],
        message: `an outline has no tools, and "${name}" is left out`,
      })),
    ),
  }),
};

function nodeOf({ step, says, next }: JsonObject): JsonObject {
  return {
    id: step,
    node_type: next === undefined ? "end" : "conversation",
    state_prompt: says ?? "",
    transitions: listOf(next).map((edge) => ({
      target_node_id: edge.step,
      condition: { type: "llm_prompt", value: edge.when },
    })),
  };
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
