import { Names } from "../../../src/base/values/mod.ts";
import { isTerminal, speaks } from "../../../src/document/graph/mod.ts";
import { type LoweredGraph, type LoweredNode, type LoweredTransition, mapLoweredNodes } from "../../lower/mod.ts";
import { OWNER } from "../traits/mod.ts";
import type { ElevenLabsLosses } from "./losses.ts";

/** Replaces go-backs of global nodes by ways back to each node that leads there. */
export function withGoBacks(graph: LoweredGraph, losses: ElevenLabsLosses): LoweredGraph {
  const nodes = Object.values(graph.nodes);
  return mapLoweredNodes(graph, (node) => {
    const { id, global_node_setting: setting } = node;
    if (!setting) return node;
    const path = ["nodes", id, "global_node_setting"];
    const backs = isTerminal(node) ? [] : setting.go_back_conditions;
    const origins = nodes.filter(
      (each) => each.id !== id && each.transitions.some(({ target_node_id: to }) => to === id),
    );
    const ways = backs.flatMap((back, index) => {
      const at = [...path, "go_back_conditions", index];
      if (back.condition.type !== "llm_prompt" && back.condition.type !== "equation") return [];
      losses.add("go-back", at, "ElevenLabs does not know which node a call came from", "a way back to each of them");
      return origins.map(
        (origin): LoweredTransition => ({ target_node_id: origin.id, condition: back.condition, madeFrom: at }),
      );
    });
    return { ...node, transitions: [...node.transitions, ...ways], global_node_setting: null };
  });
}

/** Puts a `say` node before each end and transfer with a prompt. The call is over at both, which have no edges. */
export function withSpokenEnds(graph: LoweredGraph, losses: ElevenLabsLosses): LoweredGraph {
  const names = new Names(Object.keys(graph.nodes));
  const spoken = Object.values(graph.nodes).filter((node) => isTerminal(node) && speaks(node));
  const before = new Map(spoken.map(({ id }) => [id, names.take(`${id}_says`)]));
  const entryOf = (id: string) => before.get(id) ?? id;
  const nodes = Object.values(graph.nodes).flatMap((node): LoweredNode[] => {
    const { id, node_type: type, state_prompt: prompt, instruction_type: kind } = node;
    if (!isTerminal(node)) {
      const transitions = node.transitions.map((each) => ({ ...each, target_node_id: entryOf(each.target_node_id) }));
      return [{ ...node, transitions }];
    }
    for (const [index, { condition }] of node.transitions.entries())
      if (type === "transfer" && condition.type === "tool_call")
        losses.add("transfer-outcome", ["nodes", id, "transitions", index], "A transfer has no edge for its outcome");
    const silent: LoweredNode = { ...node, state_prompt: before.has(id) ? "" : prompt, transitions: [] };
    if (!before.has(id)) return [silent];
    const message = `ElevenLabs' ${type} nodes say nothing`;
    losses.add("terminal-prompt", ["nodes", id, "state_prompt"], message, "a say node before it");
    const say: LoweredNode = {
      ...{ id: entryOf(id), node_type: "conversation", state_prompt: prompt, instruction_type: kind ?? "prompt" },
      ...{ tools: [], variables_to_extract: [], metadata: { [OWNER]: { type: "say" } } },
      transitions: [{ target_node_id: id, condition: { type: "always", value: "" }, timing: "skip_response" }],
    };
    return [say, silent];
  });
  const entry = entryOf(graph.entry_node_id);
  return { ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), entry_node_id: entry };
}
