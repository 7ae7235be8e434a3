import { mapNodes, type Pass } from "./pass.ts";

/**
 * Writes global nodes as edges: every conversation node gets an LLM transition to every other global node, behind its
 * own. Where no global node has a way back, none of them is global any more. Where one has, all keep their setting with
 * an empty condition: which of them a call is at decides where the ways back lead.
 */
export const multiplyGlobals: Pass = {
  name: "multiply-globals",
  run: (graph) => {
    const globals = Object.values(graph.nodes).flatMap(({ id, global_node_setting: setting }) =>
      setting?.condition ? [{ id, value: setting.condition }] : [],
    );
    if (globals.length === 0) return { graph };
    const settings = Object.values(graph.nodes).flatMap(({ global_node_setting: setting }) => setting ?? []);
    const hasBacks = settings.some(({ go_back_conditions: backs }) => backs.length > 0);
    return {
      graph: mapNodes(graph, (node) => {
        const entries = globals.filter(({ id }) => id !== node.id && node.node_type === "conversation");
        const setting = node.global_node_setting;
        return {
          ...node,
          transitions: [
            ...node.transitions,
            ...entries.map(({ id, value }) => ({
              target_node_id: id,
              condition: { type: "llm_prompt" as const, value },
              madeFrom: ["nodes", id, "global_node_setting"],
            })),
          ],
          global_node_setting: setting && hasBacks ? { ...setting, condition: "" } : null,
        };
      }),
    };
  },
};
