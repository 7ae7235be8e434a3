import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { type Kept, kept, OWNER } from "../shared/mod.ts";
import type { Fold } from "./fold_components.ts";
import { printOf } from "./print.ts";

/** The flow's components, and for component nodes that now run another one its id. */
export interface WrittenComponents {
  readonly components?: readonly unknown[];
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Writes local components back into the flow's list. One that no node runs any more is gone; where two nodes ran the
 * same one and only one of them was edited, that one runs another from now on.
 */
export function writeComponents(
  folds: readonly Fold[],
  { own, lens }: Kept,
  write: (fold: Fold, kept: Kept) => JsonObject,
): WrittenComponents {
  const renamed = new Map<string, string>();
  const places = new Set<unknown>(Array.isArray(lens.inlined) ? lens.inlined : []);
  if (!Array.isArray(own.components)) return { renamed };
  const all: readonly unknown[] = own.components;
  const split: JsonObject[] = [];
  const components = all.flatMap((component, index): unknown[] => {
    if (!places.has(index)) return [component];
    const keptPart = kept({ [OWNER]: component });
    const mine = folds.filter((fold) => fold.index === index).map((fold) => ({ fold, body: write(fold, keptPart) }));
    const { print } = keptPart.lens;
    const first = (print === undefined ? undefined : mine.find(({ body }) => printOf(body) === print)) ?? mine[0];
    if (!first) return [];
    for (const { fold, body } of mine)
      if (!sameJson(body, first.body)) renamed.set(fold.id, splitOff(body, [...all, ...split], split));
    return [first.body];
  });
  return { components: [...components, ...split], renamed };
}

/** Gives a copy that went its own way an id of its own. */
function splitOff(body: JsonObject, all: readonly unknown[], split: JsonObject[]): string {
  const ids = new Set(
    all.map((each) => (isRecord(each) ? (each.conversation_flow_component_id ?? each.name) : undefined)),
  );
  const base = String(body.conversation_flow_component_id ?? body.name);
  let count = 2;
  while (ids.has(`${base}-${count}`)) count++;
  const id = `${base}-${count}`;
  split.push({ ...omit(body, ["conversation_flow_component_id"]), conversation_flow_component_id: id });
  return id;
}
