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
 * The list that each item is written to: the one it came from; a new one goes where its neighbour is. An item whose list
 * comes before that of the item in front of it moves to that one, so that the graph's order is read back.
 */
export function assignRanks(ranks: readonly (number | undefined)[], fallback: number): readonly number[] {
  const following: (number | undefined)[] = [];
  for (let position = ranks.length - 1, next: number | undefined; position >= 0; position--) {
    following[position] = next;
    next = ranks[position] ?? next;
  }
  let least = 0;
  let before: number | undefined;
  return ranks.map((rank, position) => {
    least = Math.max(least, rank ?? before ?? following[position] ?? fallback);
    before = rank ?? before;
    return least;
  });
}
