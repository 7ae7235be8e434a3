import { omit } from "../../../../base/values/mod.ts";
import type { GlobalNodeSetting, GoBackCondition } from "../../../../document/graph/mod.ts";
import { changeOf, type GraphChange } from "../change.ts";
import { comparisonKey, isReordered, isSame, pairItems, unpaired } from "../matching/mod.ts";
import { textParts } from "../text_parts.ts";
import { conditionPhrase, shortQuote } from "../words.ts";
import { conditionChanges } from "./condition_changes.ts";
import { metadataChanges } from "./metadata_changes.ts";
import { otherChanges } from "./other_changes.ts";
import type { NodePair } from "./transition_changes.ts";

/** The changes of how a global node is entered and left again. A changed entry affects every call. */
export function globalChanges(pair: NodePair): readonly GraphChange[] {
  const { before, after, id, nodes } = pair;
  const [earlier, later] = [before.global_node_setting, after.global_node_setting];
  if (isSame(earlier, later)) return [];
  const path = ["nodes", id, "global_node_setting"];
  if (!later) {
    const message = `Node ${shortQuote(id)} is no longer global: callers reach it by transitions alone`;
    return [changeOf({ kind: "global-removed", path, node: id, before: earlier, message })];
  }
  if (!earlier) {
    const message = `Node ${shortQuote(id)} is now global: it is entered from every conversation node when ${shortQuote(later.condition)}`;
    return [changeOf({ kind: "global-added", path, node: id, after: later, message })];
  }
  const found: GraphChange[] = [];
  if (earlier.condition !== later.condition)
    found.push(
      changeOf({
        kind: "condition-reworded",
        path: [...path, "condition"],
        node: id,
        before: earlier.condition,
        after: later.condition,
        message: `Global node ${shortQuote(id)} is entered when ${shortQuote(later.condition)} instead of when ${shortQuote(earlier.condition)}`,
        words: textParts(earlier.condition, later.condition),
      }),
    );
  const more = { node: id, nodes };
  found.push(...goBackChanges(earlier, later, pair));
  found.push(...metadataChanges(earlier.metadata, later.metadata, { path: [...path, "metadata"], more }));
  const known = ["condition", "go_back_conditions", "metadata"];
  return [...found, ...otherChanges(omit({ ...earlier }, known), omit({ ...later }, known), { path, more })];
}

function goBackChanges(
  before: GlobalNodeSetting,
  after: GlobalNodeSetting,
  { earlierId, id, nodes }: NodePair,
): readonly GraphChange[] {
  const [earlier, later] = [before.go_back_conditions, after.go_back_conditions];
  const pathOf = (node: string, index: number) => ["nodes", node, "global_node_setting", "go_back_conditions", index];
  const pairs = pairItems<GoBackCondition>(earlier, later, [
    comparisonKey,
    ({ condition }) => comparisonKey(condition),
    ({ id: name }) => name,
    ({ condition }) => condition.type,
  ]);
  const removed = unpaired(earlier.length, pairs).flatMap((index): GraphChange[] => {
    const back = earlier[index];
    if (!back) return [];
    const message = `Calls no longer return from ${shortQuote(id)} ${conditionPhrase(back.condition)}`;
    const path = pathOf(earlierId, index);
    return [changeOf({ kind: "go-back-removed", path, node: earlierId, before: back, nodes, message })];
  });
  const others = later.flatMap((back, index): readonly GraphChange[] => {
    const path = pathOf(id, index);
    const match = pairs[index];
    const old = match === undefined ? undefined : earlier[match];
    const more = { node: id, nodes };
    if (!old) {
      const message = `Calls now also return from ${shortQuote(id)} ${conditionPhrase(back.condition)}`;
      return [changeOf({ kind: "go-back-added", path, ...more, after: back, message })];
    }
    const subject = `Way back from ${shortQuote(id)}`;
    const known = ["id", "condition"];
    return [
      ...(old.id === back.id
        ? []
        : [
            changeOf({
              kind: "rewritten",
              path: [...path, "id"],
              ...more,
              before: old.id,
              after: back.id,
              message: `${subject} has the id ${shortQuote(back.id)} instead of ${shortQuote(old.id)}`,
            }),
          ]),
      ...conditionChanges(old.condition, back.condition, { path: [...path, "condition"], subject, more }),
      ...otherChanges(omit({ ...old }, known), omit({ ...back }, known), { path, more }),
    ];
  });
  if (!isReordered(pairs)) return [...removed, ...others];
  const ids = (list: readonly GoBackCondition[]) => list.map((each) => each.id);
  const order = changeOf({
    kind: "transitions-reordered",
    path: ["nodes", id, "global_node_setting", "go_back_conditions"],
    node: id,
    nodes,
    before: ids(earlier),
    after: ids(later),
    message: `Go-back conditions of ${shortQuote(id)} are tried in another order`,
  });
  return [...removed, ...others, order];
}
