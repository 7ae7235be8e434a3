import { evaluateEquation } from "../../../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, Transition, TransitionCondition } from "../../../../../src/document/graph/mod.ts";

/** State of a call since its member was entered, as far as silent nodes depend on it. */
export interface Progress {
  readonly variables: { readonly [name: string]: unknown };
  /** Extract nodes whose variables were extracted. */
  readonly extracted: ReadonlySet<string>;
  /** Outcomes of the tools of function nodes, by node id. */
  readonly outcomes: ReadonlyMap<string, "succeeded" | "failed">;
  /** At a global node: the node that the call came from. */
  readonly origin: string | undefined;
}

/**
 * Returns every target that a call at a member may reach next, by the rules of the engine: members, and `endCall` and
 * `transferCall` for ends. A target that the model reaches by an LLM condition of the member is also listed with the
 * condition.
 */
export function possibleWays(
  graph: AgentGraph,
  from: string,
  isMember: (id: string) => boolean,
  progress: Progress,
): ReadonlySet<string> {
  const node = nodeOf(graph, from);
  if (node.node_type === "end") return new Set(["endCall"]);
  if (node.node_type === "transfer") return new Set(["transferCall"]);
  const found = new Set<string>();
  const next = node.node_type === "conversation" ? fromTalking(graph, node, progress) : fromSilent(node, progress);
  for (const [target, words] of next)
    for (const way of behind(graph, target, isMember, progress)) {
      found.add(way);
      if (words !== undefined && node.node_type === "conversation") found.add(wayFor(way, words));
    }
  return found;
}

/** Whether an equation of a member decides its next node, independent of the model. */
export function isDecided({ transitions, global_node_setting: setting }: AgentNode, progress: Progress): boolean {
  const backs = progress.origin === undefined ? [] : (setting?.go_back_conditions ?? []);
  return [...transitions, ...backs].some(({ condition }) => holds(condition, progress));
}

/** Formats a target that the model chooses by an LLM condition. */
export const wayFor = (way: string, words: string) => `${way} for "${words}"`;

/** A transition's target, and its LLM condition if the model decides. */
type Next = readonly [target: string, words?: string];

/** Returns the targets that paths through silent nodes can reach. */
function behind(
  graph: AgentGraph,
  start: string,
  isMember: (id: string) => boolean,
  progress: Progress,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (id: string) => {
    const node = nodeOf(graph, id);
    if (isMember(id)) found.add(id);
    else if (node.node_type === "end") found.add("endCall");
    else if (node.node_type === "transfer") found.add("transferCall");
    else if (!seen.has(id)) {
      seen.add(id);
      for (const [target] of fromSilent(node, progress)) walk(target);
    }
  };
  walk(start);
  return found;
}

function fromTalking(graph: AgentGraph, node: AgentNode, progress: Progress): readonly Next[] {
  const spoken = node.transitions.find(({ condition, timing }) => condition.type === "always" && timing !== "else");
  const afterSpeech: readonly Next[] = spoken ? [[spoken.target_node_id]] : [];
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  const first = node.transitions.find(({ condition }) => holds(condition, progress));
  if (first) return [...afterSpeech, [first.target_node_id]];
  const origin: readonly Next[] = progress.origin === undefined ? [] : [[progress.origin]];
  if (origin.length > 0 && backs.some(({ condition }) => holds(condition, progress)))
    return [...afterSpeech, ...origin];
  const otherwise = node.transitions.find(({ condition, timing }) => condition.type === "always" && timing === "else");
  const globals = Object.values(graph.nodes).filter((each) => each.global_node_setting && each.id !== node.id);
  return [
    ...afterSpeech,
    ...toldTargets(node.transitions),
    ...(otherwise ? [[otherwise.target_node_id] as const] : []),
    ...globals.map(({ id }): Next => [id]),
    ...(backs.some(({ condition }) => condition.type === "llm_prompt") ? origin : []),
  ];
}

/** Returns the next targets of a silent node. There are none until its work is done. */
function fromSilent(node: AgentNode, progress: Progress): readonly Next[] {
  const extracts = node.node_type === "extract" && node.variables_to_extract.length > 0;
  if (extracts && !progress.extracted.has(node.id)) return [];
  const outcome = progress.outcomes.get(node.id);
  if (node.node_type === "function" && outcome === undefined) return [];
  const first = node.transitions.find(
    ({ condition }) =>
      holds(condition, progress) ||
      (condition.type === "tool_call" && outcome !== undefined && (condition.outcome ?? outcome) === outcome),
  );
  if (first) return [[first.target_node_id]];
  const always = node.transitions.find(({ condition }) => condition.type === "always");
  return [...toldTargets(node.transitions), ...(always ? [[always.target_node_id] as const] : [])];
}

function toldTargets(transitions: readonly Transition[]): readonly Next[] {
  const told = transitions.filter(({ condition }) => condition.type === "llm_prompt");
  return told.map(({ target_node_id, condition }) => [target_node_id, condition.value]);
}

function holds({ type, equations, logical_operator }: TransitionCondition, { variables }: Progress): boolean {
  if (type !== "equation" || !equations || equations.length === 0) return false;
  const results = equations.map((clause) => evaluateEquation(clause, variables));
  return logical_operator === "or" ? results.includes(true) : !results.includes(false);
}

function nodeOf(graph: AgentGraph, id: string): AgentNode {
  const node = Object.entries(graph.nodes).find(([name]) => name === id)?.[1];
  if (!node) throw new TypeError(`no node "${id}"`);
  return node;
}
