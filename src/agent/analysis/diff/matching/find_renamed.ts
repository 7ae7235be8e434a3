import { groupBy } from "../../../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../document/graph/mod.ts";
import {
  type CommonName,
  contentKey,
  featuresOf,
  hasLittleContent,
  type Incoming,
  incomingKey,
  incomingOf,
  likeness,
  type NodeFeatures,
} from "./node_features.ts";

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
