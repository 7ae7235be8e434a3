import { meanOf, similarityTo, type Vector } from "./vectors.ts";

/** A vector that stands for several equal ones. */
export interface WeightedVector {
  readonly vector: Vector;
  readonly weight: number;
}

/** A group of vectors, by their indexes, and their mean. */
export interface VectorGroup {
  readonly members: readonly number[];
  readonly mean: Float64Array;
}

/** Maximum number of vectors to compare at a time; the matrix of more would need too much time and memory. */
const MOST_AT_ONCE = 1_000;

/**
 * Groups vectors whose average similarity reaches the threshold. If there are many, the first ones are grouped, the
 * others join the most similar group, and those that fit no group are grouped in the same way. None is left out.
 *
 * @param items In an order that does not depend on that of the calls.
 */
export function groupVectors(
  items: readonly WeightedVector[],
  {
    size,
    threshold,
    signal,
  }: { readonly size: number; readonly threshold: number; readonly signal?: AbortSignal | undefined },
): readonly VectorGroup[] {
  const groupOf = (members: readonly number[]): VectorGroup => ({
    members,
    mean: meanOf(
      members.flatMap((index) => items[index]?.vector ?? []),
      members.map((index) => items[index]?.weight ?? 0),
      size,
    ),
  });
  let groups: VectorGroup[] = [];
  let open: readonly number[] = [...items.keys()];
  while (open.length > 0) {
    signal?.throwIfAborted();
    const first = open.slice(0, MOST_AT_ONCE);
    const labels = agglomerate(
      similarities(first, items, size),
      first.map((index) => items[index]?.weight ?? 0),
      threshold,
    );
    const found = gathered(first, labels).map(groupOf);
    const joined = new Map<VectorGroup, number[]>(found.map((group) => [group, [...group.members]]));
    const rest: number[] = [];
    for (const index of open.slice(MOST_AT_ONCE)) {
      const nearest = nearestGroup(items[index], found, threshold);
      if (nearest) joined.get(nearest)?.push(index);
      else rest.push(index);
    }
    groups = [...groups, ...[...joined.values()].map(groupOf)];
    open = rest;
  }
  return items.length <= MOST_AT_ONCE ? groups : mergedGroups(groups, groupOf, { items, threshold });
}

/** Merges similar groups of different rounds. Groups beyond {@link MOST_AT_ONCE} are small; they stay. */
function mergedGroups(
  groups: readonly VectorGroup[],
  groupOf: (members: readonly number[]) => VectorGroup,
  { items, threshold }: { readonly items: readonly WeightedVector[]; readonly threshold: number },
): readonly VectorGroup[] {
  const weightOf = ({ members }: VectorGroup) => members.reduce((sum, index) => sum + (items[index]?.weight ?? 0), 0);
  const sorted = [...groups].sort((a, b) => weightOf(b) - weightOf(a) || (a.members[0] ?? 0) - (b.members[0] ?? 0));
  const compared = sorted.slice(0, MOST_AT_ONCE);
  const matrix = new Float32Array(compared.length ** 2);
  for (const [row, { mean }] of compared.entries())
    for (const [column, other] of compared.entries()) matrix[row * compared.length + column] = dot(mean, other.mean);
  const labels = agglomerate(matrix, compared.map(weightOf), threshold);
  const merged = gathered([...compared.keys()], labels).map((places) =>
    groupOf(places.flatMap((place) => compared[place]?.members ?? [])),
  );
  return [...merged, ...sorted.slice(MOST_AT_ONCE)];
}

function similarities(chosen: readonly number[], items: readonly WeightedVector[], size: number): Float32Array {
  const count = chosen.length;
  const matrix = new Float32Array(count * count);
  for (const [row, index] of chosen.entries()) {
    const { vector } = items[index] ?? {};
    if (!vector) continue;
    const spread = meanOf([vector], [1], size);
    for (let column = row + 1; column < count; column++) {
      const other = items[chosen[column] ?? -1]?.vector;
      const value = other ? similarityTo(spread, other) : 0;
      matrix[row * count + column] = value;
      matrix[column * count + row] = value;
    }
  }
  return matrix;
}

function nearestGroup(
  item: WeightedVector | undefined,
  groups: readonly VectorGroup[],
  threshold: number,
): VectorGroup | undefined {
  let nearest: VectorGroup | undefined;
  let most = threshold;
  for (const group of groups) {
    const value = item ? similarityTo(group.mean, item.vector) : 0;
    if (value > most || (value === most && !nearest)) [nearest, most] = [group, value];
  }
  return nearest;
}

function gathered(chosen: readonly number[], labels: readonly number[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  for (const [place, label] of labels.entries()) {
    const members = groups.get(label) ?? [];
    members.push(chosen[place] ?? -1);
    groups.set(label, members);
  }
  return [...groups.values()];
}

function dot(one: Float64Array, two: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (two[index] ?? 0);
  return sum;
}

/**
 * Merges the most similar groups while the average similarity of their members reaches the threshold (average linkage).
 * The nearest-neighbour chain finds the same groups as merging the best pair each time, in quadratic time.
 *
 * @param similarity Similarity of each two items, symmetric, row by row. The function modifies it.
 * @param weights How often each item counts.
 * @returns For each item the smallest index in its group.
 * @see https://en.wikipedia.org/wiki/Nearest-neighbor_chain_algorithm
 */
function agglomerate(similarity: Float32Array, weights: readonly number[], threshold: number): readonly number[] {
  const count = weights.length;
  const sizes = Float64Array.from(weights);
  const isOpen = new Uint8Array(count).fill(1);
  const parent = Int32Array.from({ length: count }, (_, index) => index);
  const at = (a: number, b: number) => similarity[a * count + b] ?? 0;
  const chain: number[] = [];
  let start = 0;
  for (;;) {
    while (start < count && isOpen[start] === 0) start += 1;
    if (chain.length === 0 && start >= count) break;
    if (chain.length === 0) chain.push(start);
    const last = chain.at(-1) ?? start;
    const before = chain.at(-2);
    let nearest = before ?? -1;
    let most = before === undefined ? Number.NEGATIVE_INFINITY : at(last, before);
    for (let other = 0; other < count; other++)
      if (isOpen[other] === 1 && other !== last && at(last, other) > most) [nearest, most] = [other, at(last, other)];
    if (nearest < 0 || most < threshold) {
      isOpen[last] = 0; // nothing that is merged later comes closer
      chain.pop();
      continue;
    }
    if (nearest !== before) {
      chain.push(nearest);
      continue;
    }
    chain.length -= 2;
    const [kept, gone] = last < nearest ? [last, nearest] : [nearest, last];
    merge(kept, gone);
  }
  return Array.from(parent, (_, index) => rootOf(index));

  function merge(kept: number, gone: number): void {
    const [a, b] = [sizes[kept] ?? 0, sizes[gone] ?? 0];
    for (let other = 0; other < count; other++) {
      if (isOpen[other] === 0) continue;
      const joined = (a * at(kept, other) + b * at(gone, other)) / (a + b);
      similarity[kept * count + other] = joined;
      similarity[other * count + kept] = joined;
    }
    sizes[kept] = a + b;
    isOpen[gone] = 0;
    parent[gone] = kept;
  }

  function rootOf(index: number): number {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    return root;
  }
}
