import { type GlobalNodeSetting, isTerminal } from "../../src/document/graph/mod.ts";
import { type LoweredGraph, type LoweredNode, mapLoweredNodes, type Pass } from "./pass.ts";

/**
 * Replaces global nodes by transitions: every conversation node gets an LLM transition to every other global node,
 * after its own transitions, even for an empty condition. If a global node has go-back conditions, all global nodes keep
 * their setting, so that {@link guardGoBacks} finds them.
 */
export const multiplyGlobals: Pass = {
  name: "multiply-globals",
  run: (graph) => {
    const nodes = Object.values(graph.nodes);
    const globals = nodes.filter(({ global_node_setting: setting }) => setting);
    const hasBacks = nodes.some(({ global_node_setting: setting }) => setting?.go_back_conditions.length);
    return { graph: multiply(graph, globals, (setting) => (hasBacks ? setting : null)) };
  },
};

/**
 * Like {@link multiplyGlobals}, for platforms that can end or transfer the call at any point: global ends and transfers
 * get no transitions, and all settings are kept.
 */
export const multiplySpeakingGlobals: Pass = {
  name: "multiply-speaking-globals",
  run: (graph) => {
    const globals = Object.values(graph.nodes).filter((node) => node.global_node_setting && !isTerminal(node));
    return { graph: multiply(graph, globals, (setting) => setting) };
  },
};

function multiply(
  graph: LoweredGraph,
  globals: readonly LoweredNode[],
  settingOf: (setting: GlobalNodeSetting) => GlobalNodeSetting | null,
): LoweredGraph {
  if (globals.length === 0) return graph;
  return mapLoweredNodes(graph, (node) => {
    const entries = globals.filter(({ id }) => id !== node.id && node.node_type === "conversation");
    return {
      ...node,
      transitions: [
        ...node.transitions,
        ...entries.map(({ id, global_node_setting: setting }) => ({
          target_node_id: id,
          condition: { type: "llm_prompt" as const, value: setting?.condition ?? "" },
          madeFrom: ["nodes", id, "global_node_setting"],
        })),
      ],
      global_node_setting: node.global_node_setting ? settingOf(node.global_node_setting) : null,
    };
  });
}
