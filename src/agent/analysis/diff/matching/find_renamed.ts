import { groupBy, omit, own } from "../../../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../document/graph/mod.ts";
import { comparisonKey } from "./same.ts";

/** Minimum similarity of two nodes with different ids and content that count as the same node. */
const ALIKE = 0.6;
/** Rounds in which renamed nodes identify their neighbours. */
const ROUNDS = 4;
/** Features that more nodes than this share are ignored, because they do not tell nodes apart. */
const MOST_SHARING = 8;
/** Maximum number of nodes that one node is compared with in full. */
const MOST_COMPARED = 8;

/** A node that only one version has. */
interface OpenNode {
  readonly id: string;
  readonly node: AgentNode;
  readonly incoming: readonly Incoming[];
}

/**
 * Finds nodes that were renamed: by equal content, then by similar content. Takes time in proportion to the nodes that
 * only one version has.
 *
 * @returns Later ids by earlier ones.
 */
export function findRenamed(before: AgentGraph, after: AgentGraph): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const found = new Set<string>();
  const open = (one: AgentGraph, other: AgentGraph): readonly OpenNode[] => {
    const missing = Object.entries(one.nodes).filter(([id]) => !Object.hasOwn(other.nodes, id));
    const incoming = missing.length === 0 ? new Map<string, readonly Incoming[]>() : incomingOf(one);
    return missing.map(([id, node]) => ({ id, node, incoming: incoming.get(id) ?? [] }));
  };
  let [gone, added] = [open(before, after), open(after, before)];
  const earlier: CommonName = (id) => renamed.get(id) ?? (Object.hasOwn(after.nodes, id) ? id : undefined);
  const later: CommonName = (id) => (found.has(id) || Object.hasOwn(before.nodes, id) ? id : undefined);
  const settle = (pairs: readonly (readonly [OpenNode, OpenNode])[]) => {
    for (const [one, other] of pairs) {
      renamed.set(one.id, other.id);
      found.add(other.id);
    }
    gone = gone.filter(({ id }) => !renamed.has(id));
    added = added.filter(({ id }) => !found.has(id));
    return pairs.length > 0;
  };
  const keys: readonly ((names: CommonName) => (open: OpenNode) => string | undefined)[] = [
    (names) => (each) => JSON.stringify([contentKey(each.node, names), incomingKey(each.incoming, names)]),
    (names) => (each) => (hasLittleContent(each.node) ? undefined : contentKey(each.node, names)),
  ];
  for (let round = 0; round < ROUNDS && gone.length > 0 && added.length > 0; round++) {
    const progress = keys.map((key) =>
      settle(equalPairs(gone, added, [key(earlier), key(later)], round === ROUNDS - 1)),
    );
    const alike = settle(alikePairs(gone, added, earlier, later));
    if (!alike && !progress.includes(true)) {
      // only their order tells these apart
      for (const key of keys) settle(equalPairs(gone, added, [key(earlier), key(later)], true));
      break;
    }
  }
  return renamed;
}

type Key = (open: OpenNode) => string | undefined;

/** Pairs nodes with equal keys. Keys that several nodes share are skipped; with `byOrder` these are paired in order. */
function equalPairs(
  gone: readonly OpenNode[],
  added: readonly OpenNode[],
  [keyOfGone, keyOfAdded]: readonly [Key, Key],
  byOrder: boolean,
): readonly (readonly [OpenNode, OpenNode])[] {
  const [ones, others] = [groupBy(gone, keyOfGone), groupBy(added, keyOfAdded)];
  return [...ones].flatMap(([key, nodes]) => {
    const matches = others.get(key) ?? [];
    if (!byOrder && (nodes.length > 1 || matches.length > 1)) return [];
    return nodes.flatMap((node, index) => {
      const match = matches[index];
      return match ? [[node, match] as const] : [];
    });
  });
}

/** Pairs nodes that are similar enough, the most similar first. Only nodes that share a rare feature are compared. */
function alikePairs(
  gone: readonly OpenNode[],
  added: readonly OpenNode[],
  earlier: CommonName,
  later: CommonName,
): readonly (readonly [OpenNode, OpenNode])[] {
  const features = (nodes: readonly OpenNode[], names: CommonName) =>
    nodes.map(({ node, incoming }) => featuresOf(node, incoming, names));
  const [ones, others] = [features(gone, earlier), features(added, later)];
  const [marks, otherMarks] = [ones.map(marksOf), others.map(marksOf)];
  const [sharing, having] = [indexed(marks), indexed(otherMarks)];
  const scored = marks.flatMap((own, one) => {
    const hits = new Map<number, number>();
    for (const mark of own) {
      const candidates = having.get(mark) ?? [];
      if (candidates.length > MOST_SHARING || (sharing.get(mark) ?? []).length > MOST_SHARING) continue;
      for (const candidate of candidates) hits.set(candidate, (hits.get(candidate) ?? 0) + 1);
    }
    const best = [...hits].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_COMPARED);
    return best.flatMap(([other]) => {
      const [a, b] = [ones[one], others[other]];
      const score = a && b ? likeness(a, b) : 0;
      return score >= ALIKE ? [{ one, other, score }] : [];
    });
  });
  scored.sort((a, b) => b.score - a.score || Math.abs(a.one - a.other) - Math.abs(b.one - b.other));
  const [usedOnes, usedOthers] = [new Set<number>(), new Set<number>()];
  return scored.flatMap(({ one, other }) => {
    const [a, b] = [gone[one], added[other]];
    if (!a || !b || usedOnes.has(one) || usedOthers.has(other)) return [];
    usedOnes.add(one);
    usedOthers.add(other);
    return [[a, b] as const];
  });
}

/** Keys for finding candidates: single features, and words in threes. */
function marksOf({ groups }: NodeFeatures): ReadonlySet<string> {
  const words = [...groups.words.keys()];
  const threes = words.map((_, index) => words.slice(index, index + 3).join(" "));
  const others = Object.entries(groups).filter(([group]) => group !== "words");
  return new Set([
    ...threes.map((three) => `words ${three}`),
    ...others.flatMap(([group, bag]) => [...bag.keys()].map((item) => `${group} ${item}`)),
  ]);
}

function indexed(marks: readonly ReadonlySet<string>[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, set] of marks.entries())
    for (const mark of set) {
      const list = found.get(mark);
      if (list) list.push(index);
      else found.set(mark, [index]);
    }
  return found;
}

/** The name under which both versions know a node; `undefined`: it is not known yet. */
export type CommonName = (id: string) => string | undefined;

/** A transition that leads to a node, and the node that it leaves. */
export interface Incoming {
  readonly from: string;
  readonly condition: string;
}

/** The transitions that lead to each node. */
function incomingOf(graph: AgentGraph): ReadonlyMap<string, readonly Incoming[]> {
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
function contentKey(node: AgentNode, common: CommonName): string {
  const transitions = node.transitions.map((transition) => ({
    ...omit({ ...transition }, ["target_node_id"]),
    target: common(transition.target_node_id) ?? null,
  }));
  return comparisonKey({ ...omit({ ...node }, ["id"]), transitions });
}

/** The transitions that lead to a node, from nodes that both versions have. */
function incomingKey(incoming: readonly Incoming[], common: CommonName): string {
  const known = incoming.map(({ from, condition }) => JSON.stringify([common(from) ?? null, condition]));
  return known.sort().join("\n");
}

/** Whether a node has so little content that another one can equal it by chance. */
function hasLittleContent(node: AgentNode): boolean {
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
function featuresOf(node: AgentNode, incoming: readonly Incoming[], common: CommonName): NodeFeatures {
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
function likeness(a: NodeFeatures, b: NodeFeatures): number {
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
