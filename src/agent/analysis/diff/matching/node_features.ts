import { omit, own } from "../../../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../document/graph/mod.ts";
import { comparisonKey } from "./same.ts";

/** The name under which both versions know a node; `undefined`: it is not known yet. */
export type CommonName = (id: string) => string | undefined;

/** A transition that leads to a node, and the node that it leaves. */
export interface Incoming {
  readonly from: string;
  readonly condition: string;
}

/** The transitions that lead to each node. */
export function incomingOf(graph: AgentGraph): ReadonlyMap<string, readonly Incoming[]> {
  const found = new Map<string, Incoming[]>();
  for (const [from, { transitions }] of Object.entries(graph.nodes))
    for (const { target_node_id: to, condition } of transitions) {
      const list = found.get(to);
      const incoming = { from, condition: comparisonKey(condition) };
      if (list) list.push(incoming);
      else found.set(to, [incoming]);
    }
  return found;
}

/** Everything in a node but ids that only one version has. */
export function contentKey(node: AgentNode, common: CommonName): string {
  const transitions = node.transitions.map((transition) => ({
    ...omit({ ...transition }, ["target_node_id"]),
    target: common(transition.target_node_id) ?? null,
  }));
  return comparisonKey({ ...omit({ ...node }, ["id"]), transitions });
}

/** The transitions that lead to a node, from nodes that both versions have. */
export function incomingKey(incoming: readonly Incoming[], common: CommonName): string {
  const known = incoming.map(({ from, condition }) => JSON.stringify([common(from) ?? null, condition]));
  return known.sort().join("\n");
}

/** Whether a node has so little content that another one can equal it by chance. */
export function hasLittleContent(node: AgentNode): boolean {
  return node.state_prompt.length < 20 && node.tools.length === 0 && node.variables_to_extract.length === 0;
}

/** The comparable content of a node in groups; each group is a bag of texts. */
export interface NodeFeatures {
  readonly type: string;
  readonly groups: { readonly [group in keyof typeof WEIGHTS]: ReadonlyMap<string, number> };
}

/** The weight of each group in the similarity of two nodes. */
const WEIGHTS = { words: 3, transitions: 2, incoming: 2, tools: 1, variables: 1, global: 1 } as const;

/** The features of a node by which it is found again under another id with edited content. */
export function featuresOf(node: AgentNode, incoming: readonly Incoming[], common: CommonName): NodeFeatures {
  const { state_prompt: prompt, transitions, tools, variables_to_extract: variables } = node;
  const edges = transitions.map(({ target_node_id: to, condition }) =>
    JSON.stringify([common(to) ?? "", comparisonKey(condition)]),
  );
  const known = incoming.filter(({ from }) => common(from) !== undefined);
  return {
    type: node.node_type,
    groups: {
      words: bag(prompt.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []),
      transitions: bag(edges),
      incoming: bag(known.map(({ from, condition }) => JSON.stringify([common(from), condition]))),
      tools: bag(tools.map(({ name }) => name)),
      variables: bag(variables.map(({ name }) => name)),
      global: bag(node.global_node_setting ? [node.global_node_setting.condition] : []),
    },
  };
}

/** From 0 to 1: the share of features that two nodes have in common, weighted by group. */
export function likeness(a: NodeFeatures, b: NodeFeatures): number {
  if (a.type !== b.type) return 0;
  let [sum, weights] = [0, 0];
  for (const [group, weight] of Object.entries(WEIGHTS)) {
    const [one, other] = [own(a.groups, group) ?? EMPTY, own(b.groups, group) ?? EMPTY];
    const total = one.size + other.size;
    if (total === 0) continue;
    weights += weight;
    sum += weight * overlap(one, other);
  }
  return weights === 0 ? 0 : sum / weights;
}

const EMPTY: ReadonlyMap<string, number> = new Map();

/** Dice's coefficient of two bags. */
function overlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [shared, total] = [0, 0];
  for (const [item, count] of a) {
    shared += Math.min(count, b.get(item) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return (2 * shared) / total;
}

function bag(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
