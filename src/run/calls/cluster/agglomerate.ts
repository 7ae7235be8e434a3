/**
 * Merges the most similar groups while the average similarity of their members reaches the threshold (average linkage).
 * The nearest-neighbour chain finds the same groups as merging the best pair each time, in quadratic time.
 *
 * @param similarity Similarity of each two items, symmetric, row by row. The function modifies it.
 * @param weights How often each item counts.
 * @returns For each item the smallest index in its group.
 * @see https://en.wikipedia.org/wiki/Nearest-neighbor_chain_algorithm
 */
export function agglomerate(
  similarity: Float32Array,
  weights: readonly number[],
  threshold: number,
): readonly number[] {
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
