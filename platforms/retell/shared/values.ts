import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";

export const isText = (value: unknown): value is string => typeof value === "string";
export const isTextMap = (value: unknown): value is { readonly [name: string]: string } =>
  isRecord(value) && Object.values(value).every(isText);
export const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** The objects of a list; none if it is no list. */
export function records(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Whether something is there: neither absent nor empty. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Items by a text that several of them can share; items without one are left out. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The ids of the nodes with a transition to each node. */
export function callersOf(nodes: readonly AgentNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const edges = nodes.flatMap(({ id, transitions }) => transitions.map((each) => ({ id, to: each.target_node_id })));
  const byTarget = [...groupBy(edges, ({ to }) => to)];
  return new Map(byTarget.map(([to, sources]) => [to, new Set(sources.map(({ id }) => id))]));
}

/** A model's name at Retell: `provider/model` without the provider. */
export function modelName(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}

/**
 * Dynamic variables as Retell has them: all values are texts.
 *
 * @param onChange Called for each value that was no text.
 */
export function textVariables(
  variables: JsonObject,
  onChange?: (name: string, text: string) => void,
): { [name: string]: string } {
  const texts = Object.entries(variables).map(([name, value]) => {
    const text = isText(value) ? value : (JSON.stringify(value) ?? String(value));
    if (text !== value) onChange?.(name, text);
    return [name, text] as const;
  });
  return Object.fromEntries(texts);
}
