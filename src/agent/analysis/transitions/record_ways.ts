import { isRecord, own } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type GoBackCondition,
  hasOutcome,
  type Transition,
  type TransitionCondition,
} from "../../../document/graph/mod.ts";
import type { Message, RecordedMove } from "../../../document/transcript/mod.ts";
import { isTextOf } from "./is_text_of.ts";

/** The record of a move or of a decision. */
export type MoveRecord = Pick<Message, "node_id" | "metadata">;

/**
 * The ways that the record of a move names.
 *
 * @returns `undefined` for a record of a version that did not name them.
 */
export function recordedWays({ metadata: { ways } }: MoveRecord): readonly RecordedMove[] | undefined {
  if (!Array.isArray(ways)) return undefined;
  return ways.filter(isRecord).flatMap(({ transition, go_back, global }): RecordedMove[] => {
    if (typeof transition === "number") return [{ transition }];
    if (typeof go_back === "number") return [{ go_back }];
    return global === true ? [{ global }] : [];
  });
}

/**
 * Deduces the transitions that a move took from the nodes and the reason in its record; none if several are possible. If
 * the model chose, all offered conditions that lead to the node count.
 */
export function deducedWays(graph: AgentGraph, { metadata }: MoveRecord): readonly RecordedMove[] {
  const { kind, from, to, because, decision } = metadata;
  const node = typeof from === "string" ? own(graph.nodes, from) : undefined;
  if (kind !== "transition" || !node || typeof to !== "string") return [];
  const reason = String(because ?? "");
  const direct = [...node.transitions.entries()].flatMap(([index, each]) =>
    each.target_node_id === to ? [{ index, each }] : [],
  );
  const backs = [...(node.global_node_setting?.go_back_conditions ?? []).entries()];
  if (decision) {
    const picked = direct.filter(({ each }) => each.condition.type === "llm_prompt");
    if (picked.length > 0) return picked.map(({ index }) => ({ transition: index }));
    if (own(graph.nodes, to)?.global_node_setting) return [{ global: true }];
    return backs.flatMap(([index, { condition }]) => (condition.type === "llm_prompt" ? [{ go_back: index }] : []));
  }
  const type = typeOf(reason);
  const ways = direct.filter(({ each }) => fits(node, each, type, reason));
  const [only] = ways;
  if (only) return ways.length === 1 || type === "always" ? [{ transition: only.index }] : [];
  const holding = type === "equation" ? backs.filter(([, back]) => isBackOf(back, reason)) : [];
  return holding.length === 1 ? holding.map(([index]) => ({ go_back: index })) : [];
}

const AFTER_SPEECH = "always, after speech";
const ELSE = "no other condition is met";

/** The type of a condition by the reason that the engine records. */
export function typeOf(because: string): "equation" | "tool_call" | "always" {
  if (["always", AFTER_SPEECH, ELSE].includes(because)) return "always";
  return /^(?:a tool was called|the tool (?:succeeded|failed)|the transfer failed)$/.test(because)
    ? "tool_call"
    : "equation";
}

/** Whether a move was made after the agent had spoken, or by a failed transfer, when no equation is evaluated. */
export function isAfterSpeech(because: string): boolean {
  return [AFTER_SPEECH, "a tool was called", "the transfer failed"].includes(because);
}

function fits(node: AgentNode, transition: Transition, type: TransitionCondition["type"], because: string): boolean {
  const { condition, timing } = transition;
  if (condition.type !== type) return false;
  if (type === "equation") return isTextOf(condition, because);
  if (type === "always" && node.node_type === "conversation") return (timing === "else") === (because === ELSE);
  if (because === "the tool succeeded") return hasOutcome(condition, "succeeded");
  return because !== "the tool failed" || hasOutcome(condition, "failed");
}

function isBackOf({ condition }: GoBackCondition, because: string): boolean {
  return condition.type === "equation" && isTextOf(condition, because);
}
