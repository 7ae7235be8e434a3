import type { Path } from "../../../src/base/errors.ts";

/** A list of tools or handoffs in a member, or in `{ assistant }` for a single assistant. */
export interface ToolList {
  readonly key: string;
  readonly path: Path;
  readonly holds: "tools" | "destinations";
}

/**
 * All lists, in the order of their items in the graph. `functions`, and tools outside of the model, are from older API
 * versions. Vapi's dashboard now writes handoffs to `tools:append`.
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

/** Returns the index of a list in {@link TOOL_LISTS}, or `undefined` for an unknown key. */
export function rankOf(key: unknown): number | undefined {
  const rank = TOOL_LISTS.findIndex((list) => list.key === key);
  return rank < 0 ? undefined : rank;
}

/** Index of the list that the dashboard uses. */
export const APPENDED = TOOL_LISTS.length - 1;

/**
 * Assigns each item the index (rank) of the list that it is written to: its original list, or for a new item the list
 * of the item before it. Ranks never decrease, so that importing keeps the order.
 *
 * @param listOf Returns the key of an item's original list; any other value for a new item.
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
