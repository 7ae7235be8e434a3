import type { Entry, Item } from "./search.ts";
import type { Taken } from "./values_on_path.ts";

/**
 * The edges of the first path to a state, oldest first.
 *
 * @param chain How the global nodes on the way were entered, the last one first. Default: by their first entries.
 */
export function edgesTo(item: Item, chain: readonly Entry[] = []): readonly Taken[] {
  const taken: Taken[] = [];
  const left: Entry[] = [...chain].reverse();
  let at: Item | undefined = item;
  while (at) {
    const { edge, choice, state }: Item = at;
    if (at.from) {
      taken.push({ edge, choice, state });
      if (at.entry) left.push(at.entry);
      at = at.from;
      continue;
    }
    const entry: Entry | undefined = left.pop() ?? at.frame.entries[0];
    if (!entry || at !== at.frame.first) {
      taken.push({ edge, choice, state });
      break;
    }
    taken.push({ edge: entry.edge, choice: entry.choice, state });
    at = entry.item;
  }
  return taken.reverse();
}
