import { isRecord } from "../../src/base/values/mod.ts";
import { nameIn, type Schemas } from "./interfaces.ts";

/**
 * Merges schemas that say the same. Retell's document repeats what a node is wherever there are nodes, under names such
 * as `Flow.Component.EndNode.DisplayPosition`; a merged schema has the last words of the shortest one that no other has.
 *
 * @param roots Names that are kept.
 */
export function mergeEqual(schemas: Schemas, roots: readonly string[]): Schemas {
  const groups = new Map<string, string[]>();
  const texts = new Map<string, string>();
  for (const name of Object.keys(schemas)) {
    const text = meaningOf(name, schemas, texts);
    groups.set(text, [...(groups.get(text) ?? []), name]);
  }
  const shortest = [...groups.values()].map((names) => {
    const root = names.find((name) => roots.includes(name));
    return root ?? names.toSorted((a, b) => a.split(".").length - b.split(".").length)[0] ?? "";
  });
  const merged = new Map<string, string>();
  for (const [index, names] of [...groups.values()].entries())
    for (const name of names) merged.set(name, shortName(shortest[index] ?? "", shortest));
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isRecord(value)) return value;
    const { $ref, ...rest } = value;
    const name = typeof $ref === "string" ? { $ref: merged.get(nameIn($ref)) } : {};
    return { ...name, ...Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, renamed(each)])) };
  };
  return Object.fromEntries(
    shortest.map((name) => {
      const schema = renamed(schemas[name]);
      return [merged.get(name) ?? name, isRecord(schema) ? schema : {}];
    }),
  );
}

/** A schema as a text with its references replaced by what they refer to. */
function meaningOf(name: string, schemas: Schemas, known: Map<string, string>): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  known.set(name, name); // a schema that refers to itself
  const text = JSON.stringify(schemas[name], (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? meaningOf(nameIn(value), schemas, known) : value,
  );
  known.set(name, text);
  return text;
}

/** The last words of a name that no other one ends with. */
function shortName(name: string, all: readonly string[]): string {
  const words = name.split(".");
  for (let count = 1; count < words.length; count++) {
    const end = words.slice(-count).join(".");
    if (!/^UnionMember/.test(end) && !all.some((other) => other !== name && `.${other}`.endsWith(`.${end}`)))
      return end.replaceAll(".", "");
  }
  return words.join("");
}
