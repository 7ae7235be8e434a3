import { own } from "../../../base/values/mod.ts";
import { equationHolds, startVariables } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  hasOutcome,
  isSilent,
  type TransitionCondition,
  waysAfterHearing,
  waysAfterWork,
  waysBack,
} from "../../../document/graph/mod.ts";
import type { CallPath, PathStep } from "../paths/mod.ts";

/** Whether the equations on a path lead along it, with the values that the path has now. */
export function isSamePath(graph: AgentGraph, path: CallPath): boolean {
  const variables = startVariables(graph, path.variables);
  return path.steps.every((step, index) => {
    const set = step.kind === "extract" ? step.values : step.kind === "tool" ? step.variables : {};
    for (const [name, value] of Object.entries(set)) if (value !== null) variables.set(name, value);
    const next = path.steps[index + 1];
    const node = own(graph.nodes, step.kind === "move" ? step.to : step.node);
    if (!next || !node) return true;
    const free = freeWays(node, step, next);
    if (free.length === 0) return true;
    const values = Object.fromEntries(variables);
    const outcome = step.kind === "tool" ? step.outcome : undefined;
    const first = free.find((way) => isTrue(way.condition, values, outcome));
    const isTaken = next.kind === "move" && ["equation", "tool", "go-back"].includes(next.by);
    if (!isTaken) return first === undefined;
    return first !== undefined && first.index === next.transition && first.goBack === next.goBack;
  });
}

interface FreeWay {
  readonly condition: TransitionCondition;
  readonly index?: number;
  readonly goBack?: number;
}

/** The ways that a call takes without a model, if it chooses between these two steps. */
function freeWays(node: AgentNode, step: PathStep, next: PathStep): readonly FreeWay[] {
  const indexed = (ways: readonly { readonly condition: TransitionCondition }[]) =>
    node.transitions.flatMap((each, index) => (ways.includes(each) ? [{ condition: each.condition, index }] : []));
  if (node.node_type === "conversation") {
    if (step.kind !== "hear") return [];
    const backs = node.global_node_setting?.go_back_conditions ?? [];
    const back = waysBack(node).withoutModel.map((each) => ({
      condition: each.condition,
      goBack: backs.indexOf(each),
    }));
    return [...indexed(waysAfterHearing(node).withoutModel), ...back];
  }
  const isAtWork = next.kind === "extract" || next.kind === "tool";
  return isSilent(node) && !isAtWork ? indexed(waysAfterWork(node).withoutModel) : [];
}

function isTrue(
  condition: TransitionCondition,
  values: { readonly [name: string]: string },
  outcome: "succeeded" | "failed" | undefined,
): boolean {
  if (condition.type !== "tool_call") return equationHolds(condition, values);
  return outcome !== undefined && hasOutcome(condition, outcome);
}
