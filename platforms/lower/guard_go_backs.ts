import { type LoweredNode, type LoweredTransition, type LoweringLoss, mapLoweredNodes, type Pass } from "./pass.ts";

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
    const returning = nodes.filter(({ global_node_setting: setting }) => setting?.go_back_conditions.length);
    const leadsTo = (target: string) => (node: LoweredNode) =>
      node.transitions.some(({ target_node_id: id }) => id === target);
    const globals = nodes.filter(({ global_node_setting: setting }) => setting);
    const nested = returning.filter(({ id }) => globals.some(leadsTo(id)));
    const ids = new Set(returning.map(({ id }) => id));
    const waysBack = ({ id, global_node_setting: setting }: LoweredNode): readonly LoweredTransition[] => {
      const origins = nodes.filter((node) => node.id !== id && leadsTo(id)(node));
      return (setting?.go_back_conditions ?? []).flatMap((back, index) =>
        origins.map((origin) => ({
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
