import { type JsonObject, sameJson } from "../../../src/values/mod.ts";
import { freeName } from "../shared/mod.ts";

/** What a component node runs, as a component. */
export interface WrittenRun {
  /** Id of the component node. */
  readonly id: string;
  /** Index of the component in the flow's list. */
  readonly index: number;
  readonly body: JsonObject;
  readonly isAsImported: boolean;
}

/** The flow's components, and the new component ids of component nodes that no longer run what they were imported with. */
export interface WrittenComponents {
  readonly components: readonly JsonObject[];
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Writes local components into the flow's list and leaves out those that no node runs any more. Where nodes ran the same
 * component and now differ, a node that is as it was imported keeps the component, and the others get copies.
 */
export function writeComponents(all: readonly JsonObject[], runs: readonly WrittenRun[]): WrittenComponents {
  const idOf = (component: JsonObject) => component.conversation_flow_component_id ?? component.name;
  const taken = new Set(all.map(idOf));
  const renamed = new Map<string, string>();
  const copies: JsonObject[] = [];
  const components = all.flatMap((component, index) => {
    if (Object.hasOwn(component, "nodes")) return [component]; // was not inlined
    const mine = runs.filter((run) => run.index === index);
    const keeper = mine.find(({ isAsImported }) => isAsImported) ?? mine[0];
    for (const { id, body } of mine) {
      if (sameJson(body, keeper?.body)) continue;
      const copyId = freeName(String(idOf(body)), (each) => taken.has(each));
      taken.add(copyId);
      copies.push({ ...body, conversation_flow_component_id: copyId });
      renamed.set(id, copyId);
    }
    return keeper ? [keeper.body] : [];
  });
  return { components: [...components, ...copies], renamed };
}
