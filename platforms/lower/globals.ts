import { type GlobalNodeSetting, type GoBackCondition, isTerminal } from "../../src/document/graph/mod.ts";
import {
  type LoweredGraph,
  type LoweredNode,
  type LoweredTransition,
  type LoweringLoss,
  mapLoweredNodes,
  type Pass,
} from "./pass.ts";

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

/**
 * Replaces go-back conditions of global nodes by transitions. Transitions to such a node store their source in a
 * variable, and the node gets a transition back to each source, which requires that value. Entry conditions must
 * already be transitions: run `multiplyGlobals` first.
 *
 * @param variableOf Returns the variable name for a node. The graph must not use it.
 */
export const guardGoBacks = (variableOf: (id: string) => string): Pass => ({
  name: "guard-go-backs",
  run: (graph) => {
    const nodes = Object.values(graph.nodes);
    // those that no call reads are reported as unread parts
    const backsOf = ({ global_node_setting: setting }: LoweredNode) => setting?.go_back_conditions ?? [];
    const isRead = ({ condition: { type } }: GoBackCondition) => type === "llm_prompt" || type === "equation";
    const returning = nodes.filter((node) => !isTerminal(node) && backsOf(node).some(isRead));
    const leadsTo = (target: string) => (node: LoweredNode) =>
      node.transitions.some(({ target_node_id: id }) => id === target);
    const globals = nodes.filter(({ global_node_setting: setting }) => setting);
    const nested = returning.filter(({ id }) => globals.some(leadsTo(id)));
    const ids = new Set(returning.map(({ id }) => id));
    const waysBack = (returned: LoweredNode): readonly LoweredTransition[] => {
      const { id } = returned;
      const origins = ids.has(id) ? nodes.filter((node) => node.id !== id && leadsTo(id)(node)) : [];
      return backsOf(returned).flatMap((back, index) =>
        (isRead(back) ? origins : []).map((origin) => ({
          target_node_id: origin.id,
          condition: back.condition,
          back: { id: back.id, variable: variableOf(id), origin: origin.id },
          madeFrom: ["nodes", id, "global_node_setting", "go_back_conditions", index],
        })),
      );
    };
    return {
      graph: mapLoweredNodes(graph, (node) => ({
        ...node,
        transitions: [
          ...node.transitions.map((transition) => {
            const target = transition.target_node_id;
            if (!ids.has(target) || target === node.id) return transition;
            return { ...transition, sets: { ...transition.sets, [variableOf(target)]: node.id } };
          }),
          ...waysBack(node),
        ],
        global_node_setting: null,
      })),
      losses: nested.map(({ id }) => nestedReturn(id)),
    };
  },
});

function nestedReturn(id: string): LoweringLoss {
  return {
    code: "nested-global-return",
    kind: "emulated",
    path: ["nodes", id, "global_node_setting", "go_back_conditions"],
    message: "A variable stores only one node that the call returns to, not a stack of nodes",
    instead: "a return to the last node that led to each global node",
    hint: "Remove the transitions from one global node to another",
  };
}
