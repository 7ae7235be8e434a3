import type { JsonPath } from "../../../src/values/mod.ts";

/** A place where people keep tools or handoffs, within a member (or, for an assistant of its own, an object around it). */
export interface ToolList {
  readonly key: string;
  readonly path: JsonPath;
  readonly holds: "tools" | "destinations";
}

/**
 * Every list that is read, in the order in which its items follow each other in the graph: what stands in an earlier list
 * comes first. `functions` and tools beside the model are where Vapi's older versions had them; `tools:append` is where
 * its dashboard writes handoffs today.
 */
export const TOOL_LISTS: readonly ToolList[] = [
  { key: "assistantDestinations", path: ["assistantDestinations"], holds: "destinations" },
  ...(
    [
      ["assistant", "model", "tools"],
      ["assistant", "model", "functions"],
      ["assistant", "tools"],
      ["assistant", "functions"],
      ["assistant", "tools:append"],
      ["assistantOverrides", "model", "tools"],
      ["assistantOverrides", "tools"],
      ["assistantOverrides", "tools:append"],
    ] as const
  ).map((path) => ({ key: path.join("."), path, holds: "tools" as const })),
];

/** The list's place in {@link TOOL_LISTS}, or `undefined` for a name that is none of theirs. */
export function rankOf(key: unknown): number | undefined {
  const rank = TOOL_LISTS.findIndex((list) => list.key === key);
  return rank < 0 ? undefined : rank;
}

/** The rank of a list that is known to exist. */
export const APPENDED = TOOL_LISTS.length - 1;

/**
 * Gives each item the rank of the list that it is written to: the one it came from, and for a new item that of the item
 * before it. Ranks never decrease, so that the items are read back in the same order.
 *
 * @param listOf Key of the list that an item came from; any other value for a new item.
 * @param fallback Rank of new items without a neighbour.
 */
export function rankItems<Item>(
  items: readonly Item[],
  listOf: (item: Item) => unknown,
  fallback: number,
): readonly { readonly item: Item; readonly rank: number }[] {
  const ranks = items.map((item) => rankOf(listOf(item)));
  let before = ranks.find((rank) => rank !== undefined) ?? fallback;
  let least = 0;
  return items.map((item, index) => {
    before = ranks[index] ?? before;
    least = Math.max(least, before);
    return { item, rank: least };
  });
}
