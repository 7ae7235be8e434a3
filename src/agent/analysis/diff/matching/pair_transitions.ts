import { bareName } from "../../../../document/expressions/mod.ts";
import type { Transition } from "../../../../document/graph/mod.ts";
import { type Pairs, pairItems } from "./pair_items.ts";
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
