import { bareName } from "../../../../document/expressions/mod.ts";
import type { Transition } from "../../../../document/graph/mod.ts";
import { comparisonKey } from "./same.ts";

/**
 * Pairs the transitions of two versions of a node, whose targets have the same names in both: equal ones first, then
 * those with the same target and condition, the same condition, the same target.
 */
export function pairTransitions(before: readonly Transition[], after: readonly Transition[]): Pairs {
  const target = ({ target_node_id: id }: Transition) => JSON.stringify(id);
  const isAlways = ({ condition }: Transition) => condition.type === "always";
  return pairItems(before, after, [
    comparisonKey,
    (each) => `${target(each)} ${comparisonKey(each.condition)}`,
    (each) => (isAlways(each) ? undefined : comparisonKey(each.condition)),
    (each) => (isAlways(each) ? undefined : `${target(each)} ${subjectOf(each)}`),
    (each) => `${target(each)} ${each.condition.type}`,
    (each) => (isAlways(each) ? `${each.timing ?? ""}` : undefined),
    target,
  ]);
}

/** The condition's type, and the variables or the tool that it is about. */
function subjectOf({ condition }: Transition): string {
  const { type, value, equations } = condition;
  if (type === "equation") return `${type} ${[...new Set((equations ?? []).map(({ left }) => bareName(left)))].sort()}`;
  return type === "tool_call" ? `${type} ${value}` : type;
}

/** For each item of the later list, the index of its counterpart in the earlier one; `undefined`: the item is new. */
export type Pairs = readonly (number | undefined)[];

/** The key of an item in one pass; `undefined` leaves the item out of this pass. */
export type ItemKey<Item> = (item: Item) => string | undefined;

/**
 * Pairs the items of two lists in passes, the strictest first: items with the same key, in their order. Takes time in
 * proportion to the items.
 */
export function pairItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  passes: readonly ItemKey<Item>[],
): Pairs {
  const pairs: (number | undefined)[] = after.map(() => undefined);
  const taken = new Set<number>();
  for (const key of passes) {
    if (taken.size === before.length) break;
    const waiting = new Map<string, { readonly indexes: number[]; next: number }>();
    for (const [index, item] of before.entries()) {
      const name = taken.has(index) ? undefined : key(item);
      if (name === undefined) continue;
      const queue = waiting.get(name);
      if (queue) queue.indexes.push(index);
      else waiting.set(name, { indexes: [index], next: 0 });
    }
    for (const [index, item] of after.entries()) {
      const name = pairs[index] === undefined ? key(item) : undefined;
      const queue = name === undefined ? undefined : waiting.get(name);
      const match = queue?.indexes[queue.next];
      if (!queue || match === undefined) continue;
      queue.next += 1;
      pairs[index] = match;
      taken.add(match);
    }
  }
  return pairs;
}

/** Indexes of the earlier list without a counterpart. */
export function unpaired(count: number, pairs: Pairs): readonly number[] {
  const paired = new Set(pairs);
  return Array.from({ length: count }, (_, index) => index).filter((index) => !paired.has(index));
}

/** Whether paired items stand in another order than before. */
export function isReordered(pairs: Pairs): boolean {
  const order = pairs.filter((match) => match !== undefined);
  return order.some((match, index) => index > 0 && match < (order[index - 1] ?? 0));
}
