import { type ConversationOptions, conversation } from "../../../src/call/engine/mod.ts";
import { type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

/** A transition of a test's graph: `["b", "Caller wants b"]`, or with a condition of its own. */
export function to(target: string, condition: unknown = { type: "always" }, more: object = {}): unknown {
  const full = typeof condition === "string" ? { type: "llm_prompt", value: condition } : condition;
  return { target_node_id: target, condition: full, ...more };
}

/** The transition call's answer that moves on. */
export function pick(target: string): unknown {
  return { objectives_complete: true, transition_to: target };
}

/** A call on the given nodes, the first one being the entry, with a scripted model. */
export function callOn(
  nodes: { readonly [id: string]: object },
  queues: ScriptedQueues = {},
  options: Omit<ConversationOptions, "models"> & { readonly metadata?: object } = {},
) {
  const { metadata, ...rest } = options;
  const graph = parseGraph({ nodes, entry_node_id: Object.keys(nodes)[0], source_metadata: metadata ?? {} });
  const model = scripted(queues);
  return { model, call: conversation(graph, { models: { agent: model }, ...rest }) };
}
