import { GraphError, type Path } from "../../../base/errors.ts";
import { checkOptions, isRecord, OPTION, omit, own, recordAt } from "../../../base/values/mod.ts";
import type { AgentGraph, Metadata } from "../../../document/graph/mod.ts";
import { replaceNodes } from "./map_graph.ts";
import { checkNewNode, checkNode, refusedEdit, requireTexts, unknownText } from "./refused.ts";
import { occurrencesOf } from "./rename.ts";

/** Where `splitNode()` splits a node. */
export interface SplitOptions {
  /** Id of the new node, which gets the rest of the prompt, the tools and the transitions. */
  readonly into: string;
  /** Text with which the new node's prompt begins. */
  readonly at: string;
  /** LLM condition of the transition to the new node. */
  readonly when: string;
}

/** The graph with a conversation node split in two. */
export function splitNode(graph: AgentGraph, id: string, options: SplitOptions): AgentGraph {
  const action = "split a node";
  const rules = { into: OPTION.text, at: OPTION.text, when: OPTION.text };
  checkOptions(options, rules, GraphError, `Cannot ${action}`);
  const { into, at, when } = { ...options };
  requireTexts(action, into, at, when);
  checkNode(graph, id, action);
  checkNewNode(graph, into, action);
  const node = own(graph.nodes, id);
  const [start] = occurrencesOf(at, node?.state_prompt ?? "");
  if (!node || !start || node.state_prompt.slice(0, start).trim() === "") throw unknownText(action);
  if (node.node_type !== "conversation" || node.instruction_type === "static_text") {
    throw refusedEdit(
      action,
      "invalid-option",
      `"${id}" is not a conversation with a prompt`,
      "Split a conversation node",
    );
  }
  const first = node.state_prompt.slice(0, start).trimEnd();
  return replaceNodes(graph, (each) => {
    if (each.id !== id) return [each];
    const { global_node_setting: _, ...rest } = each;
    const condition = { type: "llm_prompt", value: when } as const;
    return [
      { ...each, state_prompt: first, tools: [], transitions: [{ target_node_id: into, condition }] },
      { ...rest, id: into, state_prompt: each.state_prompt.slice(start), metadata: soundOf(each.metadata) },
    ];
  });
}

/** Settings of a node that callers notice: both halves keep them. Names, positions and examples are one node's. */
const SOUND: ReadonlySet<string> = new Set([
  "backgroundSound",
  "interruption_sensitivity",
  "kb_config",
  "knowledge_base_ids",
  "model",
  "model_choice",
  "responsiveness",
  "startSpeakingPlan",
  "stopSpeakingPlan",
  "transcriber",
  "voice",
]);

function soundOf(metadata: Metadata): Metadata {
  const owners = Object.entries(metadata).flatMap(([owner, settings]) => {
    if (!isRecord(settings)) return [];
    const kept = Object.entries({ ...settings, ...recordAt(recordAt(settings, "home"), "assistant") })
      .filter(([key]) => SOUND.has(key))
      .map(([key, value]) => [key, isRecord(value) ? omit(value, ["messages", "tools", "toolIds"]) : value] as const);
    return kept.length > 0 ? [[owner, Object.fromEntries(kept)] as const] : [];
  });
  return Object.fromEntries(owners);
}

/** The path of a part of the graph after the split: tools and transitions belong to the new node. */
export function pathAfterSplit(path: Path, id: string, into: string): Path {
  const [root, node, part, ...rest] = path;
  return root === "nodes" && node === id && (part === "tools" || part === "transitions")
    ? [root, into, part, ...rest]
    : path;
}
