import { type AgentGraph, parseGraph, type TransitionCondition } from "../../../../src/document/graph/mod.ts";
import type { PolicyPoint, PolicyRule } from "../../../../src/document/scenario/mod.ts";
import { RANDOM_NODE_TYPES } from "../../../call/engine/random_calls.ts";
import { seeded } from "../../../platforms/mutate.ts";

/** Values that distinguish the equations of a random graph. */
export const VALUES: { readonly [variable: string]: readonly unknown[] } = {
  plan: ["basic", "gold"],
  vip: [true, false],
  amount: [4, 5, 6, 7, 8],
  given: ["x", "y"],
  status: ["ok", "no"],
};
const TOOLS = ["charge", "look"];

/** A deterministic graph of up to eight nodes and rules for it; its equations are about `mostNames` variables. */
export function randomPolicies(
  seed: number,
  mostNames = 5,
): { readonly graph: AgentGraph; readonly rules: readonly PolicyRule[] } {
  const random = seeded(seed);
  const likely = (share: number) => random() < share;
  const any = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
  const some = <Item>(most: number, make: () => Item) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const ids = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, index) => `n${index}`);

  const all = Object.keys(VALUES);
  const names = mostNames < all.length ? Array.from({ length: mostNames }, () => any(all)) : all;
  const clause = () => {
    const left = any(names);
    if (likely(0.15)) return { left, operator: any(["exists", "not_exist"]) };
    if (left === "amount") return { left, operator: any([">", ">=", "<", "<=", "==", "!="]), right: any([5, 7]) };
    return { left, operator: any(["==", "!="]), right: any((VALUES[left] ?? []).map(String)) };
  };
  const equation = (): TransitionCondition => ({
    type: "equation",
    value: "",
    equations: [clause(), ...some(1, clause)],
    logical_operator: any(["and", "or"]),
  });
  const transition = () => {
    const target_node_id = any(ids);
    const type = any(["llm_prompt", "llm_prompt", "equation", "tool_call", "always"] as const);
    if (type === "equation") return { target_node_id, condition: equation() };
    if (type === "tool_call") {
      const outcome = any(["succeeded", "failed", null]);
      return { target_node_id, condition: { type, value: any(["", ...TOOLS]), outcome } };
    }
    const timing = type === "always" ? any(["after_speech", "skip_response", "else"] as const) : null;
    return { target_node_id, condition: { type, value: "Here" }, timing };
  };
  const toolNamed = (name: string) => ({
    name,
    description: "",
    ...(likely(0.1) ? { type: any(["end_call", "transfer_call"]) } : {}),
    ...(likely(0.5) ? { response_variables: { status: "$.status" } } : {}),
  });
  const extracted = (name: string) => ({
    name,
    description: "",
    type: name === "plan" ? "enum" : name === "vip" ? "boolean" : "number",
    choices: name === "plan" ? ["basic", "gold"] : [],
  });
  const node = () => {
    const node_type = any(RANDOM_NODE_TYPES);
    const speaks = node_type === "conversation" || (["end", "transfer"].includes(node_type) && likely(0.4));
    const back = () => ({
      id: "back",
      condition: likely(0.7) ? { type: "llm_prompt" as const, value: "" } : equation(),
    });
    return {
      node_type,
      state_prompt: speaks ? `Talk. ${any(["", "", "{{plan}}", "{{status}}"])}` : "",
      instruction_type: likely(0.2) ? "static_text" : "prompt",
      transitions: some(3, transition),
      variables_to_extract:
        node_type === "extract" ? ["plan", "vip", "amount"].filter(() => likely(0.4)).map(extracted) : [],
      tools: node_type === "function" || (speaks && likely(0.25)) ? [toolNamed(any(TOOLS))] : [],
      ...(likely(0.2) ? { global_node_setting: { condition: "Anywhere", go_back_conditions: some(2, back) } } : {}),
    };
  };
  const point = (): PolicyPoint => {
    if (likely(0.7)) return { node: any(ids) };
    if (likely(0.5)) return { end: any(["agent_ended", "agent_transferred", "hop_limit"]) };
    return { tool: any(TOOLS), ...(likely(0.5) ? { outcome: any(["succeeded", "failed"]) } : {}) };
  };
  const rule = (verb: PolicyRule["verb"]): PolicyRule => {
    const points = [point(), ...(likely(0.3) ? [point()] : [])];
    if (verb === "known") return { verb, variables: [any(["plan", "status"])] };
    if (verb === "never") return { verb, points, ...(likely(0.8) ? { while: equation() } : {}) };
    if (verb === "at_most_once" || verb === "way_to") return { verb, points };
    return { verb, first: points, second: [point()] };
  };
  const document = {
    nodes: Object.fromEntries(ids.map((id) => [id, node()])),
    entry_node_id: ids[0],
    source_metadata: {
      ...(likely(0.15) ? { begin_message: any(["", "Hello {{plan}}."]) } : {}),
      ...(likely(0.1) ? { start_speaker: "user" } : {}),
    },
  };
  const verbs = ["before", "never", "at_most_once", "after", "leads_to", "way_to", "known"] as const;
  return { graph: parseGraph(document), rules: verbs.map(rule) };
}
