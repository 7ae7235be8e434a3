import { type JsonObject, sameJson } from "../../../src/values/mod.ts";
import { freeName, records } from "../shared/mod.ts";
import type { Fold } from "./fold_components.ts";

/** The flow's components, and the new component ids of component nodes that no longer run what they were imported with. */
export interface WrittenComponents {
  readonly components: readonly JsonObject[];
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Writes local components into the flow's list and leaves out those that no node runs any more. Where nodes ran the same
 * component and now differ, a node that is as it was imported keeps the component, and the others get copies.
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
  const all = records(own.components);
  const idOf = (component: JsonObject) => component.conversation_flow_component_id ?? component.name;
  const renamed = new Map<string, string>();
  const copies: JsonObject[] = [];
  const components = all.flatMap((component, index): JsonObject[] => {
    if (Object.hasOwn(component, "nodes")) return [component]; // was not inlined
    const mine = folds.filter((fold) => fold.index === index).map((fold) => ({ fold, body: write(fold, component) }));
    const keeper = mine.find(({ fold }) => isAsImported(fold)) ?? mine[0];
    if (!keeper) return [];
    for (const { fold, body } of mine) {
      if (sameJson(body, keeper.body)) continue;
      const taken = new Set([...all, ...copies].map(idOf));
      const id = freeName(String(idOf(body)), (each) => taken.has(each));
      copies.push({ ...body, conversation_flow_component_id: id });
      renamed.set(fold.id, id);
    }
    return [keeper.body];
  });
  return { components: [...components, ...copies], renamed };
}
