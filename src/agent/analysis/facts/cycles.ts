/**
 * The groups of nodes that can reach each other and themselves (strongly connected components), each in the order of
 * the map. Linear in nodes and edges, and without recursion: a graph may be one chain of 10,000 nodes.
 */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const place = new Map([...edges.keys()].map((id, index) => [id, index]));
  return componentsOf(edges)
    .filter((members) => members.length > 1 || edges.get(members[0] ?? "")?.includes(members[0] ?? ""))
    .map((members) => [...members].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)));
}

/** All strongly connected components, each before those that it leads to. */
export function componentsOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = finishOrder(edges);
  const reversed = new Map<string, string[]>([...edges.keys()].map((id) => [id, []]));
  for (const [from, targets] of edges) for (const target of targets) reversed.get(target)?.push(from);
  const group = new Map<string, number>();
  const groups: string[][] = [];
  for (const root of order.reverse()) {
    if (group.has(root)) continue;
    const members: string[] = [];
    const open = [root];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (group.has(id)) continue;
      group.set(id, groups.length);
      members.push(id);
      open.push(...(reversed.get(id) ?? []));
    }
    groups.push(members);
  }
  return groups;
}

/** Nodes in the order in which a depth-first walk leaves them (postorder). */
function finishOrder(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const order: string[] = [];
  for (const root of edges.keys()) {
    const stack = [{ id: root, next: 0 }];
    if (seen.has(root)) continue;
    seen.add(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = edges.get(top.id)?.[top.next++];
      if (target === undefined) {
        order.push(top.id);
        stack.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        stack.push({ id: target, next: 0 });
      }
    }
  }
  return order;
}
