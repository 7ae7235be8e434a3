import { isRecord, type JsonObject, sameJson } from "../../../src/values/mod.ts";
import type { Fold } from "./fold_components.ts";

/** The flow's components, and for component nodes that now run another one its id. */
export interface WrittenComponents {
  readonly components: readonly JsonObject[];
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Writes local components into the flow's list, without those that no node runs any more. Where nodes that ran the same
 * component now differ, the component stays as it was imported while a node runs it so, and the others get one of their own.
 *
 * @param write Writes what a component node runs, with the component's own keys.
 * @param isAsImported Whether a node runs the component as it was imported.
 */
export function writeComponents(
  folds: readonly Fold[],
  own: JsonObject,
  write: (fold: Fold, own: JsonObject) => JsonObject,
  isAsImported: (fold: Fold) => boolean,
): WrittenComponents {
  const all = Array.isArray(own.components) ? own.components.filter(isRecord) : [];
  const renamed = new Map<string, string>();
  const split: JsonObject[] = [];
  const components = all.flatMap((component, index): JsonObject[] => {
    if (Object.hasOwn(component, "nodes")) return [component]; // it was never taken apart
    const mine = folds.filter((fold) => fold.index === index).map((fold) => ({ fold, body: write(fold, component) }));
    const keeper = mine.find(({ fold }) => isAsImported(fold)) ?? mine[0];
    if (!keeper) return [];
    for (const { fold, body } of mine)
      if (!sameJson(body, keeper.body)) renamed.set(fold.id, splitOff(body, [...all, ...split], split));
    return [keeper.body];
  });
  return { components: [...components, ...split], renamed };
}

/** Gives a copy that went its own way an id of its own. */
function splitOff(body: JsonObject, all: readonly JsonObject[], split: JsonObject[]): string {
  const ids = new Set(all.map((each) => each.conversation_flow_component_id ?? each.name));
  const base = String(body.conversation_flow_component_id ?? body.name);
  let count = 2;
  while (ids.has(`${base}-${count}`)) count++;
  const id = `${base}-${count}`;
  split.push({ ...body, conversation_flow_component_id: id });
  return id;
}
