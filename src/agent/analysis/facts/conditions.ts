import type { Path } from "../../../base/errors.ts";
import type { AgentNode, TransitionCondition } from "../../../document/graph/mod.ts";

/** Every condition of a node with its path: transitions, global entry and go-back conditions. */
export function conditionsOf(id: string, node: AgentNode): readonly (readonly [Path, TransitionCondition])[] {
  const { global_node_setting: setting } = node;
  const at = ["nodes", id, "global_node_setting"];
  return [
    ...node.transitions.map(
      ({ condition }, index) => [["nodes", id, "transitions", index, "condition"], condition] as const,
    ),
    ...(setting ? [[at, { type: "llm_prompt", value: setting.condition }] as const] : []),
    ...(setting?.go_back_conditions ?? []).map(
      ({ condition }, index) => [[...at, "go_back_conditions", index, "condition"], condition] as const,
    ),
  ];
}
